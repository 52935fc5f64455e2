import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { expect, onTestFinished, test } from "vitest";
import { DEADLINE_MS } from "../../../common/testing/deadline.ts";
import { waitFor } from "../../../common/time/wait-for.ts";
import { measureTree, ProcessTreeWatch } from "./process-tree-watch.ts";
import { type ProcessorWait, StarvationWindow } from "./starvation-window.ts";

const BUSY = "for (;;) {}";

/** Starts a command in a process group of its own and kills the group when the test has finished. */
function startGroup(command: string, ...args: string[]): number {
  const { pid = 0 } = spawn(command, args, { stdio: "ignore", detached: true });
  onTestFinished(() => void process.kill(-pid, "SIGKILL"));
  return pid;
}

const start = (...args: string[]) => startGroup(process.execPath, ...args);

test("measures the processor time and the memory of a process and its children", async () => {
  const parent = `require("node:child_process").spawn(process.execPath, ["-e", ${JSON.stringify(BUSY)}]); setInterval(() => {}, 1000)`;
  const pid = start("-e", parent);
  const watch = new ProcessTreeWatch(() => pid);
  onTestFinished(() => watch.stop());
  await waitFor(DEADLINE_MS, "the child uses the processor", () => watch.cpu > 0.3);
  const alone = measureTree(process.pid);
  expect(watch.memory).toBeGreaterThan(2e7);
  expect([alone.memory > 0, alone.descriptors > 3]).toEqual([true, true]);
});

test("counts what commands have used that have ended", async () => {
  const command = "const end = Date.now() + 200; while (Date.now() < end);";
  const parent = `for (;;) require("node:child_process").spawnSync(process.execPath, ["-e", ${JSON.stringify(command)}]);`;
  const pid = start("-e", parent);
  const watch = new ProcessTreeWatch(() => pid);
  onTestFinished(() => watch.stop());
  // No command alone uses that much.
  await waitFor(DEADLINE_MS, "the commands have used the processor", () => watch.cpu > 1);
});

test.each([
  [
    "another thread",
    "python3",
    ["-c", "import threading\ndef spin():\n  while True: pass\nthreading.Thread(target=spin).start()"],
    true,
  ],
  ["the main thread", "sh", ["-c", "while :; do :; done"], false],
] as const)(
  "measures how long other threads than the main one have run: %s uses the processor",
  async (_, command, args, isOther) => {
    const pid = startGroup(command, ...args);
    let othersRan = 0;
    const onWait = (wait: ProcessorWait) => {
      othersRan = wait.othersRan;
    };
    const watch = new ProcessTreeWatch(() => pid, onWait);
    onTestFinished(() => watch.stop());
    await waitFor(DEADLINE_MS, "the process uses the processor", () => watch.cpu > 0.6);
    expect(othersRan > 300).toBe(isOther);
  },
);

test("a stopped process does not wait for a processor, one among many on few processors does", async () => {
  // It is watched once it sleeps: its start may wait for a processor.
  const sleeper = startGroup("sleep", "600");
  await waitFor(DEADLINE_MS, "it sleeps", () => readFileSync(`/proc/${sleeper}/stat`, "utf8").includes(") S "));
  // All on one processor, at the lowest priority: each gets a tenth of what other tests leave.
  const lowest = ["-n", "19", "taskset", "-c", "0", process.execPath, "-e", BUSY];
  const pids = Array.from({ length: 10 }, () => startGroup("nice", ...lowest));
  /** Watches a process until the end of the test. @returns gives milliseconds that it was starved last */
  const watchStarvation = (pid: number) => {
    const window = new StarvationWindow();
    let starved = 0;
    const watch = new ProcessTreeWatch(
      () => pid,
      (wait) => {
        starved = window.add({ at: performance.now(), ...wait }) ?? starved;
      },
    );
    onTestFinished(() => watch.stop());
    return { watch, starved: () => starved };
  };
  const busy = watchStarvation(pids[0] ?? 0);
  const idle = watchStarvation(sleeper);
  await waitFor(DEADLINE_MS, "the process is starved", () => busy.starved() > 1500);
  expect(Math.max(...busy.watch.waits.values())).toBeGreaterThan(1.5);
  expect(idle.starved()).toBe(0);
});
