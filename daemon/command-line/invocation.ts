import type { AppInvocation } from "./app-commands.ts";

/** The port of a daemon, unless one is named. */
export const DEFAULT_PORT = 8000;

/** What the command line and the environment decide about a daemon. */
export interface DaemonOptions {
  sim: boolean;
  /** V of the simulated robot's power supply; null for the default. */
  supply: number | null;
  /** Serial port or `tcp://host:port` of the servo bus; null finds the robot by its USB id. */
  serialport: string | null;
  startupApp: string | null;
  /** Name by which programs know the robot. */
  robotName: string;
  /** What apps are told about whether the robot is simulated; null for the truth. */
  reportSimulation: boolean | null;
  /** Whether a Python interpreter is kept ready for the next start of the app that ran last. */
  warmStart: boolean;
  wirelessVersion: boolean;
  wakeUpOnStart: boolean;
  /** Folder of the app that can be edited over HTTP; null for none. */
  workshop: string | null;
  host: string;
  port: number;
  /** Names besides the machine's own under which browsers may reach a daemon on the network. */
  allowedHosts: readonly string[];
  dataDir: string;
  /** The apps' Python environment. */
  venv: string;
  /** The hub that apps come from. */
  hubUrl: string;
  /** ALSA device of speaker and microphone; null where browsers replace them. */
  audioDevice: string | null;
  /** `sim`, `none`, a picture or a folder of pictures; null for the camera of a simulated robot, else none. */
  camera: string | null;
  /** WAV file that is played to the microphone. */
  microphone: string | null;
  /** Seconds between SIGINT and SIGTERM for an app that does not end, above 0 and at most 120. */
  gracePeriod: number;
  /** Seconds without a sign of life after which the robot process is restarted, above 0 and at most 120. */
  robotTimeout: number;
  logLevel: "debug" | "info" | "warn" | "error";
}

/** `robot-daemon install`. */
export interface InstallInvocation {
  command: "install";
  /** Folder of an app, or the URL of its space. */
  source: string;
  /** Whether the app gets an environment of its own. */
  isolated: boolean;
  /** Whether the installed app is printed as JSON. */
  json: boolean;
  dataDir: string;
  venv: string;
  hubUrl: string;
}

/** What the command line asks for. */
export type Invocation =
  | AppInvocation
  | { command: "run"; options: DaemonOptions }
  | InstallInvocation
  /** `port` is null for that of the daemon that uses the data folder. */
  | { command: "link"; dataDir: string; host: string; port: number | null; json: boolean }
  | { command: "uninstall"; dataDir: string; venv: string; purge: boolean; agreed: boolean; json: boolean }
  | { command: "test-robot" }
  | { command: "scan"; serialport: string | null; json: boolean }
  | SetupServoInvocation;

/** `robot-daemon setup-servo`. */
interface SetupServoInvocation {
  command: "setup-servo";
  serialport: string | null;
  joint: string;
  /** The servo's present id; null where it is alone on the bus. */
  id: number | null;
  /** Whether it writes without asking. */
  agreed: boolean;
  /** Whether what was done is printed as JSON. */
  json: boolean;
}
