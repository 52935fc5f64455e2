import type { AppStatus } from "../../../robot/wire/apps.ts";
import type { AppEnd } from "./app-process.ts";

export type Outcome = Pick<AppStatus, "state" | "error">;

export const DONE: Outcome = { state: "done", error: null };

/** 128 + SIGINT: what a program that handles the signal itself exits with, by the convention of shells. */
const INTERRUPTED = 130;

/**
 * What an end means to people.
 * @param asked null when the app ended by itself, otherwise what it was doing when it was asked to stop. Whoever is
 *   interrupted while starting (Python imports modules then) may exit with any code: that is no fault of the app.
 */
export function outcomeOf(end: AppEnd, asked: "starting" | "running" | null): Outcome {
  if (asked !== null && end.forced) {
    return failed(end, "did not end on SIGINT within the grace period and was killed: its loop must poll stop_event");
  }
  if (end.code === 0 || asked === "starting") return DONE;
  if (asked === "running" && (end.signal === "SIGINT" || end.code === INTERRUPTED)) return DONE;
  const how = end.signal === null ? `exited with code ${end.code}` : `was ended by ${end.signal}`;
  return failed(end, asked === null ? how : `${how} while it was stopping`);
}

function failed(end: AppEnd, how: string): Outcome {
  return { state: "error", error: [`The app ${how}.`, ...end.lastErrors].join("\n") };
}
