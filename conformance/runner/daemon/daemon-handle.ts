/** A daemon under test: spawned, in this process, or not started by the tests. */
export interface DaemonHandle {
  /** `http://127.0.0.1:PORT`, without a slash at the end. */
  readonly url: string;
  /** The access token that it asks for; null when it asks for none. */
  readonly token: string | null;
  /** Process id of a spawned daemon; null when it shares this process or runs elsewhere. */
  readonly pid: number | null;
  /** What it printed so far, for the report of a failed scenario. */
  output(): string;
  /** Sends a signal to a spawned daemon. */
  signal(name: NodeJS.Signals): void;
  /** Exit code once it has ended; null when a signal killed it. Rejects for a daemon that is not spawned. */
  exited(): Promise<number | null>;
  /** Disconnects the robot that the daemon simulates. Rejects for a daemon that the tests did not start. */
  unplugRobot(): Promise<void>;
  /** Kills the robot process with SIGKILL. Rejects for a daemon without one or that the tests did not start. */
  killRobotProcess(): Promise<void>;
  close(): Promise<void>;
}

/** How to start a daemon under test. */
export interface DaemonOptions {
  dataDir: string;
  startupApp: string | null;
  wakeUpOnStart: boolean;
  /** Seconds between SIGINT and SIGTERM. */
  gracePeriod: number;
  /** Whether an interpreter waits for the next start of the app that ran last. */
  warmStart?: boolean;
  /** Access token, for a daemon in this process; none unless given. */
  token?: string;
  /** Address of the hub; unless given, one that does not answer. */
  hubUrl?: string;
  /** Address of a robot-sim; the daemon simulates the robot itself unless given. */
  serialport?: string;
  /** WAV file that stands in for the robot's microphone. */
  microphone?: string;
  /** As the option --camera. */
  camera?: string;
  /** The apps' Python environment, for a spawned daemon; the one in the data folder unless given. */
  venv?: string;
  /** Environment variables of the daemon, and with it of the app, besides those of this process; `undefined` leaves one out. */
  env?: Readonly<Record<string, string | undefined>>;
  /**
   * Has a spawned daemon listen on all addresses and ask for the token of its data folder; on 127.0.0.1 and without one
   * unless given. Only for a network of its own.
   */
  listenOnAllAddresses?: boolean;
  /** Whether a spawned daemon behaves as on the wireless robot. */
  wireless?: boolean;
  /** Port, for a spawned daemon; a free one unless given. */
  port?: number;
  /** Starts a spawned daemon with SIGINT ignored, as a shell starts its background jobs. */
  ignoringSigint?: boolean;
}

/** The request headers that carry an access token. */
export const authorization = (token: string | null): Record<string, string> =>
  token === null ? {} : { authorization: `Bearer ${token}` };
