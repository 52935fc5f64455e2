import type { AppStatus } from "../../../robot/wire/apps/app-status.ts";
import type { DaemonEventName, DaemonEvents } from "../../../robot/wire/daemon-events.ts";
import type { RobotEvent } from "../../../robot/wire/robot/robot-event.ts";

/** What is observed of a daemon, in order. */
export type LifecycleEvent =
  | { kind: "slot"; state: AppStatus["state"]; app: string }
  | { kind: "process"; what: "started" | "exited" }
  | { kind: "robot"; event: Pick<RobotEvent, "kind" | "data"> }
  /** A request to stop the app or to sleep, and the answer: it is done, or no app runs. */
  | { kind: "stop-requested" | "stop-answered" | "stop-refused" | "shutdown-requested" | "closed" }
  /** The startup app is about to be started; another one was chosen; an app that has failed will be started again. */
  | { kind: "startup-app-tried"; app: string }
  | { kind: "startup-app-chosen"; app: string | null }
  | { kind: "crash-restart-planned"; app: string }
  /** The return after an app has failed, perhaps before its move began. */
  | { kind: "return-failed" };

/** What the events of `GET /api/events`, or of the app host and the robot, show of the lifecycle; null for what is no part of it. */
export function lifecycleEventOf<Name extends DaemonEventName>(
  name: Name,
  data: DaemonEvents[Name],
): LifecycleEvent | null {
  const event = { name, data } as {
    [Each in DaemonEventName]: { name: Each; data: DaemonEvents[Each] };
  }[DaemonEventName];
  if (event.name === "slot") return { kind: "slot", state: event.data.state, app: event.data.info.name };
  if (event.name === "process") return { kind: "process", what: event.data.what };
  if (event.name === "robot") return { kind: "robot", event: { kind: event.data.kind, data: event.data.data } };
  if (event.name === "startup-app") return { kind: "startup-app-chosen", app: event.data.startup_app };
  return event.name === "notice" ? eventOfNotice(event.data.message) : null;
}

/** What a notice says: what the daemon will start by itself, or that the robot has not returned. */
function eventOfNotice(message: string): LifecycleEvent | null {
  if (message.startsWith("After the app: ")) return { kind: "return-failed" };
  const [, tried] = /^Starting the startup app (\S+):/.exec(message) ?? [];
  if (tried !== undefined) return { kind: "startup-app-tried", app: tried };
  const [, crashed] = /^(\S+) failed; it is started again in/.exec(message) ?? [];
  return crashed === undefined ? null : { kind: "crash-restart-planned", app: crashed };
}

const APPS = ["startup", "other"];
const MOVES: readonly string[] = ["return_to_default", "wake_up", "goto_sleep"];
const ARRIVALS: Record<string, string> = {
  return_to_default: "returnArrives",
  wake_up: "wakeUpArrives",
  goto_sleep: "sleepArrives",
};

/** The steps of the model that nobody sees. */
const HIDDEN = [
  ...APPS.flatMap((app) => [`replaceLater("${app}", true)`, `replaceLater("${app}", false)`]),
  ...["launch", "sessionBegins", "joinStop", "joinReturn", "answerStop", "skipReturn", "postponeReturn"],
  ...["silentRobotIsLost", "installStartupApp", "jobBegins", "jobEnds"],
  ...["touchIsLate", "giveUpStartupApp", "startupAppIsNotDue"],
];
/** Those that are not seen either by somebody who only has the daemon's events. */
const REQUESTS = ["requestStop", "requestStopOfNothing", "shutDown", "close"];

const PROCESSES = ["processStarts", "processExits"];

/** What a log leaves out. */
export interface Blindness {
  /** Whether the log contains all requests to stop, and their answers. */
  seesRequests: boolean;
  /** Whether it contains the starts and exits of processes. Default true. */
  seesProcesses?: boolean;
}

/** The steps that may happen between two events of a log. */
export const hiddenSteps = ({ seesRequests, seesProcesses = true }: Blindness): readonly string[] => [
  ...HIDDEN,
  ...(seesRequests ? [] : REQUESTS),
  ...(seesProcesses ? [] : PROCESSES),
];

/** Translates events into the steps of the model that they can be: one of them must be possible. */
export class LifecycleEvents {
  #startupApp: string | null;
  /** The app that is about to be started as the startup app: another may be chosen meanwhile. */
  #tried: string | null = null;
  /** The app that is started again after its crash. */
  #crashed: string | null = null;
  #holder: string | null = null;
  #stops = 0;
  #isLinked = true;
  #motorsAreOff = false;
  /** Whether an app has ended while the robot was lost, and no move has arrived since: the robot may hear of it late. */
  #endIsUnheard = false;
  /** Whether a return has failed while the robot stayed connected, or waits for a move; no other move has started since. */
  #returnIsPutOff = false;
  /** What has happened that happens once. */
  readonly #seen = new Set<string>();

  constructor(startupApp: string | null) {
    this.#startupApp = startupApp;
  }

  /** Steps that nobody sees after the events so far, besides those of `hiddenSteps`. */
  get hidden(): readonly string[] {
    return [
      ...(this.#motorsAreOff ? ["sleepsWithoutMove"] : []),
      ...(this.#returnIsPutOff ? ["robotRespondsAgain"] : []),
    ];
  }

  /** @returns the labels of steps; null for an event that is no step of the model */
  stepsOf(event: LifecycleEvent): readonly string[] | null {
    switch (event.kind) {
      case "slot":
        return this.#slotSteps(event.state, event.app);
      case "process":
        return event.what === "started" ? ["processStarts"] : ["processExits"];
      case "robot":
        return this.#robotSteps(event.event);
      // The model follows one request to stop; those that overlap are answered together.
      case "stop-requested":
        this.#stops += 1;
        return this.#stops === 1 ? ["requestStop", "requestStopOfNothing"] : null;
      case "stop-answered":
        this.#stops -= 1;
        return this.#stops === 0 ? ["answerStop"] : null;
      case "stop-refused":
        this.#stops -= 1;
        return null;
      case "shutdown-requested":
      case "closed":
        if (this.#seen.has(event.kind)) return null;
        this.#seen.add(event.kind);
        return [event.kind === "closed" ? "close" : "shutDown"];
      case "startup-app-tried":
        this.#tried = event.app;
        return ["tryStartupApp"];
      case "startup-app-chosen":
        this.#startupApp = event.app;
        return null;
      case "crash-restart-planned":
        this.#crashed = event.app;
        return null;
      case "return-failed":
        return this.#returnFailed();
    }
  }

  #slotSteps(state: AppStatus["state"], name: string): readonly string[] {
    if (state === "starting") {
      this.#holder = name;
      const isStartupApp = name === this.#startupApp || name === this.#tried;
      const app = isStartupApp ? "startup" : "other";
      const byItself = name === this.#crashed ? [`restartAfterCrash("${app}")`] : [];
      return [`start("${app}")`, `nextStarts("${app}")`, ...byItself, ...(isStartupApp ? ["startStartupApp"] : [])];
    }
    // An app that does not hold the slot has no state: no step of the model.
    if (name !== this.#holder) return [];
    if (state === "running") return ["becomeRunning"];
    if (state === "done" || state === "error") {
      this.#endIsUnheard = !this.#isLinked;
      return [`freeSlot("${state}")`];
    }
    return ["acceptStop", ...APPS.flatMap((each) => [`replace("${each}", true)`, `replace("${each}", false)`])];
  }

  #robotSteps({ kind, data }: Pick<RobotEvent, "kind" | "data">): readonly string[] | null {
    const move = String(data.kind);
    if (kind === "move_started") {
      this.#returnIsPutOff = false;
      if (move === "return_to_default") return ["startReturn"];
      if (MOVES.includes(move)) return [`moveStarts("${move}")`, "touchWakes"];
      if (!this.#endIsUnheard) return ['moveStarts("none")'];
      // The robot may have been told of it before the end: the return is put off, as by a robot that is lost for a moment.
      this.#returnIsPutOff = true;
      return ['moveStarts("none")', "robotIsLost"];
    }
    if (kind === "move_ended" && MOVES.includes(move)) {
      if (data.outcome === "finished") {
        this.#endIsUnheard = false;
        return [ARRIVALS[move] ?? ""];
      }
      const isReturn = move === "return_to_default";
      if (data.outcome === "cancelled") return [`moveIsCancelled("${isReturn ? "return" : move}")`];
      // The move that supersedes another has started already, and a lost robot has reported that.
      return data.outcome === "superseded" || !isReturn ? null : this.#returnFailed();
    }
    if (kind === "antenna_touched") return ["touchWithoutEffect", 'touch("installing")', 'touch("waking")'];
    if (kind === "motor_mode") this.#motorsAreOff = data.mode === "disabled";
    if (kind !== "phase") return null;
    const isLinked = data.phase === "running";
    if (isLinked === this.#isLinked) return null;
    this.#isLinked = isLinked;
    return isLinked
      ? ["robotReconnects(true)", "robotReconnects(false)", "robotRespondsAgain"]
      : ["robotIsLost", "robotIsSilent"];
  }

  /** Packets were lost, or a log leaves out phases: for the model, the robot is lost until the return is tried again. */
  #returnFailed(): readonly string[] | null {
    if (!this.#isLinked) return null;
    this.#returnIsPutOff = true;
    return ["robotIsLost"];
  }
}
