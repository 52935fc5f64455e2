/** How a life of the app was brought to its end. */
export type Ending =
  | "stop"
  | "stop-event"
  | "second-sigint"
  | "error"
  | "kill"
  | "daemon-gone"
  | "port-taken"
  /** Nobody asked. */
  | "by-itself";

/** What the app was doing in the moment in which it was asked to end. */
export type Phase = "importing" | "connecting" | "connected" | "running" | "mid-goto";

/** A message of the app that moves the robot. */
export interface Command {
  /** Seconds from the scene's start. */
  t: number;
  /** Of the client that sent it, as it told; null when it did not. */
  pid: number | null;
  /** `type` of the SDK's message, or the path of a request. */
  kind: string;
  /** The message as it was sent. */
  text: string;
}

/**
 * One life of the app's process, as it was observed. Times are seconds from the start of its scene; null for what did
 * not happen.
 */
export interface Run {
  /** Id of the scene. */
  scene: string;
  pid: number | null;
  /** Every client of the daemon that named this process has this in common: it came after `startedAt`. */
  startedAt: number;
  /** The app's SDK was connected. */
  connectedAt: number | null;
  /** `run()` was entered, and was left again. */
  enteredAt: number | null;
  leftAt: number | null;
  /** Class of the exception that `run()` was left with; null when it returned. */
  raised: string | null;
  ending: Ending;
  phase: Phase | null;
  /** It was asked to end. */
  askedAt: number | null;
  /** The process itself was gone. */
  endedAt: number | null;
  exit: { code: number | null; signal: string | null } | null;
  /** Seconds that it had to end by itself; `forced` says that it needed SIGTERM or SIGKILL. */
  grace: number;
  forced: boolean;
  /** Processes of the app that outlived it, as command lines. */
  leftovers: readonly string[];
  commands: readonly Command[];
  /** The last lines of its standard error. */
  lastErrors: readonly string[];
  /** Radians from the default pose of the joint farthest from it, when the robot had had time to return; null: not looked at. */
  offDefault: number | null;
  /** Whether its motors held it there; a limp robot only seems to stand until it sinks. */
  held: boolean | null;
  usage: Usage | null;
}

/** What the app and its children took from the machine while it ran. */
export interface Usage {
  /** Seconds over which it was taken. */
  seconds: number;
  /** Seconds of processor time. */
  cpu: number;
  /** Bytes of resident memory, the most that was seen. */
  memory: number;
  /** Lines that it printed. */
  lines: number;
}
