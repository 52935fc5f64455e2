import { expect, test } from "vitest";
import { unknownState } from "../unknown-state.ts";
import { MissedReturn } from "./missed-return.ts";

const LATER = "It broke. The robot returns to its default pose when it is back.";
const returning = { ...unknownState(0), move: { id: "r", kind: "return_to_default" as const } };
const moveStarted = { kind: "move_started" as const, level: "info" as const, message: "", data: {} };

test("a return that runs as the process is lost is missed", () => {
  const missed = new MissedReturn();
  missed.observeState(returning);
  expect(missed.isMissed).toBe(false);
  missed.onProcessLost();
  expect(missed.isMissed).toBe(true);
  expect(missed.annotate("It broke.")).toBe(LATER);
  expect(missed.annotate(LATER)).toBe(LATER);
});

test("a return that has ended before is not", () => {
  const missed = new MissedReturn();
  missed.observeState(returning);
  missed.observeState({ ...returning, move: null });
  missed.onProcessLost();
  expect(missed.isMissed).toBe(false);
  expect(missed.annotate("It broke.")).toBe("It broke.");
});

test("a return that is lost twice is still missed, and a move or an app ends that", () => {
  const missed = new MissedReturn();
  missed.onCallFailed();
  missed.onProcessLost();
  missed.onProcessLost();
  expect(missed.isMissed).toBe(true);
  missed.observeEvent(moveStarted);
  expect(missed.isMissed).toBe(false);
  missed.observeState(returning);
  missed.onProcessLost();
  expect(missed.isMissed).toBe(true);
  missed.forget();
  expect(missed.annotate(LATER)).toBe("It broke.");
});
