import { spawn } from "node:child_process";
import { once } from "node:events";
import { expect, onTestFinished, test } from "vitest";
import { processesOf, sendSignal } from "./process-tree.ts";

test("a process group can be ended when the process table cannot be read", async () => {
  const main = spawn("sh", ["-c", "sleep 600 & wait"], { detached: true, stdio: "ignore" });
  await once(main, "spawn");
  const group = main.pid as number;
  onTestFinished(() => void sendSignal(-group, "SIGKILL"));
  const noTable = () => Promise.reject(new Error("spawn ps EAGAIN"));
  const tree = { group, runId: "the run id of no process" };
  expect(await processesOf(tree, noTable)).toEqual([-group]);
  const exited = once(main, "exit");
  for (const pid of await processesOf(tree, noTable)) sendSignal(pid, "SIGKILL");
  await exited;
  // The shell's child got the signal too: it holds no pid of this group any more once the system has reaped it.
  while (sendSignal(-group, 0)) await new Promise((resolve) => setImmediate(resolve));
  expect(await processesOf(tree, noTable)).toEqual([]);
  expect(await processesOf({ group: null, runId: "x" }, noTable)).toEqual([]);
});
