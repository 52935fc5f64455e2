/** What ended a run of the app's process. */
export type EndCause =
  | "stop"
  | "stop-event"
  | "stop-method"
  | "second-sigint"
  | "error"
  | "kill"
  | "daemon-lost"
  | "port-taken"
  /** Nothing asked it to end. */
  | "by-itself";

/** What the app was doing when it was asked to end. */
export type AppPhase = "importing" | "connecting" | "connected" | "running" | "mid-goto";

/** A message that moves the robot. */
export interface Command {
  /** Seconds from the start of the test run. */
  t: number;
  /** Process id that the client sent when it connected; null without one. */
  pid: number | null;
  /** `type` of the SDK's message, or the path of a request. */
  kind: string;
  /** The message as it was sent. */
  text: string;
}

/**
 * One run of the app's process, as it was observed. Times are seconds from the start of its test run; null for what did
 * not happen.
 */
export interface AppRun {
  /** Id of the test run. */
  testRun: string;
  pid: number | null;
  startedAt: number;
  /** When the SDK asked the daemon for a connection. */
  connectAttemptAt: number | null;
  /** When the SDK was connected to the daemon. */
  connectedAt: number | null;
  /** When the SDK's last connection was closed. */
  disconnectedAt: number | null;
  /** When `run()` was entered, and when it returned or raised, as the trace instrument saw it; null without it. */
  runEnteredAt: number | null;
  runLeftAt: number | null;
  /** Class of the exception that `run()` raised; null when it returned. */
  runRaised: string | null;
  endCause: EndCause;
  phase: AppPhase | null;
  /** When it was asked to end. */
  endRequestedAt: number | null;
  /** When the main process exited. */
  exitedAt: number | null;
  exit: { code: number | null; signal: string | null } | null;
  /** Seconds that it had to end by itself; `forceStopped`: it needed SIGTERM or SIGKILL. */
  gracePeriod: number;
  forceStopped: boolean;
  /** Whether the trace instrument raised an error in it. */
  errorInjected: boolean;
  /** Whether it ran on after that, and had to be stopped. */
  stoppedAfterError: boolean;
  /** Processes that the app left behind, as command lines or the daemon's report. */
  leftoverProcesses: readonly string[];
  commands: readonly Command[];
  /** What it did with sound, each once: `plays samples`, `plays a sound`, `records the microphone`. */
  sounds: readonly string[];
  /** The last lines of its standard error. */
  stderrTail: readonly string[];
  /** Radians from the default pose, of the joint farthest from it, after the robot had time to return; null: not measured. */
  defaultPoseError: number | null;
  /** Whether the motors were on at that time; null: not measured. */
  motorsOn: boolean | null;
  usage: Usage | null;
  /** Bytes in the folders that it may write to, after its end; null: not measured. */
  bytesWritten: number | null;
}

/** Resources that the app and its descendants used. */
export interface Usage {
  /** Seconds over which it was measured. */
  seconds: number;
  /** Seconds of processor time. */
  cpu: number;
  /** The most bytes of resident memory. */
  memory: number;
  /** Lines printed. */
  lines: number;
}
