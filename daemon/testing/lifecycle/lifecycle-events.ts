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
  /** The startup app is about to be started. */
  | { kind: "startup-app-tried" };

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
  const isTry = event.name === "notice" && event.data.message.startsWith("Starting the startup app ");
  return isTry ? { kind: "startup-app-tried" } : null;
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
  ...["launch", "joinStop", "joinReturn", "answerStop", "skipReturn", "postponeReturn"],
  ...["installStartupApp", "jobBegins", "jobEnds", "touchIsLate", "giveUpStartupApp", "startupAppIsNotDue"],
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
  readonly #startupApp: string | null;
  #holder: string | null = null;
  #stops = 0;
  #isLinked = true;
  /** What has happened that happens once. */
  readonly #seen = new Set<string>();

  constructor(startupApp: string | null) {
    this.#startupApp = startupApp;
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
        return ["tryStartupApp"];
    }
  }

  #slotSteps(state: AppStatus["state"], name: string): readonly string[] {
    const app = name === this.#startupApp ? "startup" : "other";
    if (state === "starting") {
      this.#holder = name;
      return [`start("${app}")`, `nextStarts("${app}")`, ...(app === "startup" ? ["startStartupApp"] : [])];
    }
    // An app that does not hold the slot has no state: no step of the model.
    if (name !== this.#holder) return [];
    if (state === "running") return ["becomeRunning"];
    if (state === "done" || state === "error") return [`freeSlot("${state}")`];
    return ["acceptStop", ...APPS.flatMap((each) => [`replace("${each}", true)`, `replace("${each}", false)`])];
  }

  #robotSteps({ kind, data }: Pick<RobotEvent, "kind" | "data">): readonly string[] | null {
    const move = String(data.kind);
    if (kind === "move_started") {
      if (move === "return_to_default") return ["startReturn"];
      return MOVES.includes(move) ? [`moveStarts("${move}")`, "touchWakes"] : ['moveStarts("none")'];
    }
    if (kind === "move_ended" && MOVES.includes(move)) {
      if (data.outcome === "finished") return [ARRIVALS[move] ?? ""];
      // The move that supersedes another has started already, and a lost robot has reported that.
      return data.outcome === "cancelled"
        ? [`moveIsCancelled("${move === "return_to_default" ? "return" : move}")`]
        : null;
    }
    if (kind === "antenna_touched") return ["touchWithoutEffect", 'touch("installing")', 'touch("waking")'];
    if (kind !== "phase") return null;
    const isLinked = data.phase === "running";
    if (isLinked === this.#isLinked) return null;
    this.#isLinked = isLinked;
    return isLinked ? ["robotReconnects(true)", "robotReconnects(false)"] : ["robotIsLost"];
  }
}
