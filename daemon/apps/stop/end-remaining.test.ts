import { spawn } from "node:child_process";
import { once } from "node:events";
import { setImmediate } from "node:timers/promises";
import { expect, onTestFinished, test } from "vitest";
import type { Clock } from "../../../common/time/clock.ts";
import { endRemaining } from "./end-remaining.ts";
import { sendSignal } from "./process-tree.ts";

/** A helper process that ends by itself at a time of a clock, in milliseconds; the clock goes forward by what is waited for. */
async function startHelper(endsAt: number): Promise<{ group: number; clock: Clock }> {
  const helper = spawn("cat", { detached: true, stdio: ["pipe", "ignore", "ignore"] });
  await once(helper, "spawn");
  const group = helper.pid as number;
  onTestFinished(() => void sendSignal(-group, "SIGKILL"));
  const exited = once(helper, "exit");
  let now = 0;
  const goForward = async (ms: number) => {
    await setImmediate();
    now += ms;
    if (now < endsAt) return;
    helper.stdin.end();
    await exited;
  };
  const after = (ms: number, callback: () => void) => {
    void goForward(ms).then(callback);
    return () => {};
  };
  return { group, clock: { now: () => now, unixTime: () => now, after } };
}

test.each([
  ["within a second gets no signal", 900, []],
  ["later is ended", 1500, ["cat"]],
])("a process that ends by itself %s", async (_, endsAt, commands) => {
  const { group, clock } = await startHelper(endsAt);
  const { signalled, survivors } = await endRemaining({ group, runId: "the run id of no process" }, clock);
  expect(signalled.map(({ command }) => command)).toEqual(commands);
  expect(survivors).toEqual([]);
});
