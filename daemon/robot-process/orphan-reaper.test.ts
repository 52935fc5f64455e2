import { spawn } from "node:child_process";
import { once } from "node:events";
import { expect, test } from "vitest";
import { systemClock } from "../../common/time/clock.ts";
import { endGroup } from "./orphan-reaper.ts";

/** A process group of its own that says when it is ready. */
async function group(script: string) {
  const child = spawn(process.execPath, ["-e", `${script}; console.log("ready"); setInterval(() => {}, 1000)`], {
    detached: true,
    stdio: ["ignore", "pipe", "ignore"],
  });
  await once(child.stdout, "data");
  return { pid: child.pid!, exit: once(child, "exit") };
}
const kill = process.kill.bind(process);

test("an app that handles SIGINT ends by it", async () => {
  const { pid, exit } = await group("process.on('SIGINT', () => process.exit(7))");
  await endGroup(pid, kill, systemClock);
  expect(await exit).toEqual([7, null]);
});

test("an app that ignores SIGINT is killed", async () => {
  const { pid, exit } = await group("process.on('SIGINT', () => {})");
  await endGroup(pid, kill, systemClock);
  expect(await exit).toEqual([null, "SIGKILL"]);
});

test("a process group that has ended already is no error", async () => {
  const { pid, exit } = await group("");
  process.kill(pid, "SIGKILL");
  await exit;
  await endGroup(pid, kill, systemClock);
});
