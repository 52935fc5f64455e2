import type { Trespass } from "./trespass.ts";

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

/** Exit code with which a test run ends an app whose stop() has not set its stop event. */
export const STOP_EVENT_NOT_SET = 97;

/** What the app was doing when it was asked to end. */
export type AppPhase = "importing" | "connecting" | "connected" | "running" | "mid-goto";

/** A message that moves the robot, or sets whether its body follows its head. */
export interface Command {
  /** Seconds from the start of the test run. */
  t: number;
  /** Process id that the client sent when it connected; null without one. */
  pid: number | null;
  /** Number of the client's connection; null for a request. */
  connection: number | null;
  /** Whether the client speaks the public SDK's protocol. */
  isPublic: boolean;
  /** `type` of the SDK's message, or the path of a request. */
  kind: string;
  /** The message as it was sent. */
  text: string;
}

/** A moment at which the harness or the app goes on after a delay. */
export interface Delay {
  /** Seconds from the start of the test run. */
  t: number;
  seconds: number;
}

/** Seconds of a delay from which on the times show it at which an app's commands arrive. */
export const NOTICEABLE_DELAY = 0.05;

/** A recorded move with targets that the robot cannot reach. */
export interface ClippedMove {
  /** Seconds from the start of the test run. */
  t: number;
  /** A sentence: what was requested, and what the robot does instead. */
  message: string;
}

const AUTOMATIC_BODY_YAW = "set_automatic_body_yaw";

/** Whether a command moves the robot: the one that every SDK sends first does not. */
export const isMotion = ({ kind }: Command): boolean => kind !== AUTOMATIC_BODY_YAW;

/** Whether a command is a goto, of the SDK socket or of REST. */
export const isGoto = ({ kind }: Command): boolean => kind === "task" || kind === "/api/move/goto";

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
  /** Seconds until then, or until it was asked to end, in which it waited for a processor. */
  startWaited: number;
  /** When the app closed the last of its SDK connections; null while one is open, and when the harness closed it. */
  disconnectedAt: number | null;
  /**
   * When `run()` was entered, and when it returned or raised, as the trace instrument saw it, or the program that called
   * `wrapped_run()`; null without them.
   */
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
  /** Whether the app's standard error named that error after the first line of a traceback. */
  errorReported: boolean;
  /** Whether it ran on after that, and had to be stopped. */
  stoppedAfterError: boolean;
  /**
   * What was seen of its stop() method, where a test run called it: that it was called, or that it set the stop event. Null:
   * neither.
   */
  stopMethod: "called" | "sets-event" | null;
  /** Processes that the app left behind, as command lines or the daemon's report. */
  leftoverProcesses: readonly string[];
  commands: readonly Command[];
  /** What the daemon reported as beyond a joint's range or out of reach while it played a recorded move; at most one a second. */
  clippedMoves: readonly ClippedMove[];
  /** When connections were closed, by their number. */
  connectionEnds: Readonly<Record<number, number>>;
  /** When the harness did not get a processor for a moment, and for how long: what it reads then is older than its time. */
  harnessDelays: readonly Delay[];
  /** Periods in which the app waited for a processor that others had: what it sends then comes late and in bursts. */
  processorDelays: readonly Delay[];
  /** What it did with sound, each once: `plays samples`, `plays a sound`, `records the microphone`. */
  sounds: readonly string[];
  /** What it did outside of what is its own, each once. */
  trespasses: readonly Trespass[];
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
  /** Share of one processor, of the time in which no thread of it waited for one; 1 is a full one. */
  cpu: number;
  /** The most bytes of resident memory. */
  memory: number;
  /** Lines printed a second, without the two seconds with most: a burst is no steady rate. */
  lineRate: number;
}
