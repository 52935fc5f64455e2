import type { AppStatus } from "../../../robot/wire/apps/app-status.ts";
import type { AppEnd } from "./app-process.ts";

export type Outcome = Pick<AppStatus, "state" | "error">;

export const DONE: Outcome = { state: "done", error: null };

/** 128 + SIGINT: the exit code of a program that handles the signal itself, by the convention of shells. */
const INTERRUPTED = 130;

/**
 * The final state of an app, from how its process ended.
 * @param stopRequestedIn null when the app ended by itself, otherwise its state when the stop was requested. A process
 *   that is interrupted while `starting` (Python imports modules then) may exit with any code: not the app's fault.
 */
export function outcomeOf(end: AppEnd, stopRequestedIn: "starting" | "running" | null): Outcome {
  if (stopRequestedIn !== null && end.forced) {
    const next =
      stopRequestedIn === "starting"
        ? "leave SIGINT alone until wrapped_run() handles it"
        : "run() must return soon after stop_event is set";
    return failed(end, `did not end on SIGINT within the grace period and was killed: ${next}`);
  }
  if (end.code === 0 || stopRequestedIn === "starting") return DONE;
  if (stopRequestedIn === "running" && (end.signal === "SIGINT" || end.code === INTERRUPTED)) return DONE;
  const how = end.signal === null ? `exited with code ${end.code}` : `was ended by ${end.signal}`;
  return failed(end, stopRequestedIn === null ? how : `${how} while it was stopping`);
}

function failed(end: AppEnd, how: string): Outcome {
  return { state: "error", error: [`The app ${how}.`, ...end.lastErrors].join("\n") };
}
