import { spawn } from "node:child_process";
import { once } from "node:events";
import { setImmediate } from "node:timers/promises";
import { expect, onTestFinished, test } from "vitest";
import { type Clock, systemClock } from "../time/clock.ts";
import { endProcesses, processesOf, sendSignal } from "./process-tree.ts";

test("a process group can be ended when the process table cannot be read", async () => {
  const main = spawn("sh", ["-c", "sleep 600 & wait"], { detached: true, stdio: "ignore" });
  await once(main, "spawn");
  const group = main.pid as number;
  onTestFinished(() => void sendSignal(-group, "SIGKILL"));
  const noTable = () => Promise.reject(new Error("spawn ps EAGAIN"));
  const tree = { group, environment: ["NAME", "of no process"] } as const;
  expect(await processesOf(tree, noTable)).toEqual([-group]);
  const exited = once(main, "exit");
  for (const pid of await processesOf(tree, noTable)) sendSignal(pid, "SIGKILL");
  await exited;
  // The shell's child got the signal too: it holds no pid of this group any more once the system has reaped it.
  while (sendSignal(-group, 0)) await setImmediate();
  expect(await processesOf(tree, noTable)).toEqual([]);
  expect(await processesOf({ group: null, environment: ["NAME", "of no process"] }, noTable)).toEqual([]);
});

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
  const { signalled, survivors } = await endProcesses({ group }, clock);
  expect(signalled.map(({ command }) => command)).toEqual(commands);
  expect(survivors).toEqual([]);
});

/** A process group of its own that says when it is ready. */
async function startGroup(script: string) {
  const child = spawn(process.execPath, ["-e", `${script}; console.log("ready"); setInterval(() => {}, 1000)`], {
    detached: true,
    stdio: ["ignore", "pipe", "ignore"],
  });
  await once(child.stdout, "data");
  return { pid: child.pid!, exit: once(child, "exit") };
}
const STEPS = [
  { signal: "SIGINT", waitMs: 1000 },
  { signal: "SIGKILL", waitMs: 5000 },
] as const;

test("a process that handles SIGINT ends by it", async () => {
  const { pid, exit } = await startGroup("process.on('SIGINT', () => process.exit(7))");
  await endProcesses({ group: pid }, systemClock, STEPS);
  expect(await exit).toEqual([7, null]);
});

test("a process that ignores SIGINT is killed", async () => {
  const { pid, exit } = await startGroup("process.on('SIGINT', () => {})");
  await endProcesses({ group: pid }, systemClock, STEPS);
  expect(await exit).toEqual([null, "SIGKILL"]);
});

test("a process group that has ended already is no error", async () => {
  const { pid, exit } = await startGroup("");
  process.kill(pid, "SIGKILL");
  await exit;
  await endProcesses({ group: pid }, systemClock, STEPS);
});

test("a process that left its group and its session is ended with its tree, also when its parent ends before it", async () => {
  const ignoring = "trap '' INT; echo $$; exec sleep 600";
  const script = `require("node:child_process").spawn("sh", ["-c", ${JSON.stringify(ignoring)}], { detached: true, stdio: "inherit" })`;
  const parent = spawn(process.execPath, ["-e", script], { detached: true, stdio: ["ignore", "pipe", "inherit"] });
  const exit = once(parent, "exit");
  const [line] = (await once(parent.stdout, "data")) as [Buffer];
  const [root, child] = [parent.pid as number, Number(String(line))];
  expect((await processesOf({ root })).sort()).toEqual([root, child].sort());
  const { signalled, survivors } = await endProcesses({ root }, systemClock, STEPS);
  expect([signalled.length, survivors]).toEqual([2, []]);
  expect(await exit).toEqual([null, "SIGINT"]);
  // The process table leaves out what has ended and waits to be reaped.
  expect(await processesOf({ root: child })).toEqual([]);
});
