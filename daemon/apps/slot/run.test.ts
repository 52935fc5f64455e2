import { expect, test } from "vitest";
import { type AppEnd, howItEnded, outcomeOf } from "./run.ts";

const exit = (how: Partial<AppEnd>): AppEnd => ({ code: 0, signal: null, forced: false, lastErrors: [], ...how });

test.each<[string, Partial<AppEnd>, "starting" | "running" | null, string]>([
  ["an app that returns", {}, null, "done"],
  ["a crash", { code: 1 }, null, "error"],
  ["an app that a signal ends", { code: null, signal: "SIGKILL" }, null, "error"],
  ["a stop", {}, "running", "done"],
  ["a stop whose SIGINT ends the process", { code: null, signal: "SIGINT" }, "running", "done"],
  ["a stop after which it exits as shells do", { code: 130 }, "running", "done"],
  ["a crash during the stop", { code: 1 }, "running", "error"],
  ["an app that is stopped while it imports", { code: 1 }, "starting", "done"],
  ["an app that had to be killed, even if it exits without an error", { forced: true }, "running", "error"],
  [
    "an app that had to be killed while it imports",
    { code: null, signal: "SIGKILL", forced: true },
    "starting",
    "error",
  ],
])("the outcome of %s", (_, how, stopRequestedIn, state) => {
  expect(outcomeOf(exit(how), stopRequestedIn).state).toBe(state);
});

test("an error says how the app ended, then what it printed last", () => {
  const { error } = outcomeOf(exit({ code: 1, lastErrors: ["Traceback", "ValueError: cheese"] }), null);
  expect(error).toBe("The app exited with code 1.\nTraceback\nValueError: cheese");
});

test.each<[Partial<AppEnd>, string]>([
  [{ forced: true }, "exited with code 0, after it had ignored SIGINT for the grace period"],
  [
    { code: null, signal: "SIGTERM", forced: true },
    "was ended by SIGTERM, after it had ignored SIGINT for the grace period",
  ],
  [
    { code: null, signal: "SIGKILL", forced: true },
    "was ended by SIGKILL, after it had ignored SIGINT for the grace period",
  ],
  [{ code: null, signal: null, forced: true }, "was not ended by SIGKILL, either"],
])("the state of an app that ignored the stop says the same as its log: %j", (how, said) => {
  expect(howItEnded(exit(how))).toBe(said);
  expect(outcomeOf(exit(how), "running").error).toContain(`The app ${said}: run() must return soon`);
});
