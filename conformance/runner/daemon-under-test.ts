/** A daemon that a scenario talks to, wherever it runs. */
export interface DaemonUnderTest {
  /** `http://127.0.0.1:PORT`, without a slash at the end. */
  readonly url: string;
  /** What it asks of every caller; null when it asks for nothing. */
  readonly token: string | null;
  /** Process id of a spawned daemon; null when it shares this process or runs elsewhere. */
  readonly pid: number | null;
  /** What it printed so far, for the report of a failed scenario. */
  output(): string;
  /** Sends a signal to a spawned daemon. */
  signal(name: NodeJS.Signals): void;
  /** Exit code once it has ended; null when a signal killed it. Rejects for a daemon that is not spawned. */
  ended(): Promise<number | null>;
  /** Takes the robot that the daemon simulates itself away from it. Rejects for a daemon that is not ours. */
  unplugRobot(): Promise<void>;
  /** Ends the robot's own process with SIGKILL. Rejects for a daemon that has none, and for one that is not ours. */
  killRobotProcess(): Promise<void>;
  close(): Promise<void>;
}

/** What a scenario asks of its daemon. */
export interface DaemonWish {
  dataDir: string;
  startupApp: string | null;
  wakeUpOnStart: boolean;
  /** Seconds between SIGINT and SIGTERM. */
  gracePeriod: number;
  /** What a daemon in this process asks of every caller; nothing unless given. */
  token?: string;
  /** The hub that apps come from; none that answers unless given. */
  hubUrl?: string;
  /** What a robot-sim is reached by; the daemon simulates the robot itself unless given. */
  serialport?: string;
  /** WAV file that the robot's microphone hears. */
  microphone?: string;
  /** The apps' environment of a spawned daemon, when it is not the one in the data folder. */
  venv?: string;
  /** What the daemon, and with it the app, has in its environment besides this process's own. */
  env?: Readonly<Record<string, string>>;
  /** The port of a spawned daemon; any free one unless given. */
  port?: number;
  /** Starts a spawned daemon as a shell's background job would be: SIGINT ignored from the start. */
  ignoringSigint?: boolean;
}

/** The headers by which a daemon knows a caller with its token. */
export const authorization = (token: string | null): Record<string, string> =>
  token === null ? {} : { authorization: `Bearer ${token}` };

export type StartDaemon = (wish: DaemonWish) => Promise<DaemonUnderTest>;

/** Tests do not call strangers: nothing listens on the discard port. */
export const NO_HUB = "http://127.0.0.1:9";
/** Nor do the installers that a daemon under test runs. */
export const NO_INDEX = { PIP_NO_INDEX: "1", UV_OFFLINE: "1" };
