import { expect, test } from "vitest";
import { ManualClock } from "../../../common/manual-clock.ts";
import { EnvironmentGate } from "./environment-gate.ts";

const NEVER = new AbortController().signal;

function startChange(gate: EnvironmentGate): () => void {
  let finish = () => {};
  void gate.during("The installation of wave", () => new Promise<void>((resolve) => (finish = resolve)));
  return () => finish();
}

test("a start waits for a change of the environment, and reports which", async () => {
  const gate = new EnvironmentGate(new ManualClock());
  const waits: string[] = [];
  await gate.whenUnchanged(NEVER, (what) => waits.push(what));
  expect(waits).toEqual([]);
  const finish = startChange(gate);
  let ready = false;
  const waiting = gate.whenUnchanged(NEVER, (what) => waits.push(what)).then(() => (ready = true));
  await new Promise((resolve) => setImmediate(resolve));
  expect([waits, ready]).toEqual([["The installation of wave"], false]);
  finish();
  await waiting;
});

test("a change that fails ends the wait as well", async () => {
  const gate = new EnvironmentGate(new ManualClock());
  const failed = gate.during("The installation of wave", () => Promise.reject(new Error("no luck")));
  const waiting = gate.whenUnchanged(NEVER, () => {});
  await expect(failed).rejects.toThrow("no luck");
  await waiting;
});

test("a start that is stopped waits no longer", async () => {
  const gate = new EnvironmentGate(new ManualClock());
  startChange(gate);
  const stop = new AbortController();
  const waiting = gate.whenUnchanged(stop.signal, () => {});
  stop.abort();
  await waiting;
});

test("a start is refused when the change takes longer than a minute", async () => {
  const clock = new ManualClock();
  const gate = new EnvironmentGate(clock);
  startChange(gate);
  const waiting = gate.whenUnchanged(NEVER, () => {});
  const refused = expect(waiting).rejects.toMatchObject({
    code: "app-busy",
    message: expect.stringContaining("The installation of wave still changes the apps' environment"),
  });
  await clock.advanceAsync(60_000);
  await refused;
});
