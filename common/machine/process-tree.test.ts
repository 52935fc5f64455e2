import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { rmSync, statSync, writeFileSync } from "node:fs";
import path from "node:path";
import { setImmediate } from "node:timers/promises";
import { expect, onTestFinished, test } from "vitest";
import { DEADLINE_MS } from "../testing/deadline.ts";
import { temporaryFolder } from "../testing/temporary-folder.ts";
import { type Clock, systemClock } from "../time/clock.ts";
import { ManualClock } from "../time/manual-clock.ts";
import { type Machine, pidExists, sendSignal, thisMachine } from "./machine.ts";
import type { ProcessEntry } from "./process-entry.ts";
import { ProcessTable } from "./process-table.ts";
import { endProcesses, processesOf } from "./process-tree.ts";

const withTable = (readTable: Machine["readTable"]): Machine => ({ ...thisMachine, readTable });

test("a process group can be ended where there is no process table", async () => {
  const main = spawn("sh", ["-c", "sleep 600 & wait"], { detached: true, stdio: "ignore" });
  await once(main, "spawn");
  const group = main.pid as number;
  onTestFinished(() => sendSignal(-group, "SIGKILL"));
  const noTable = withTable(() => Promise.reject(Object.assign(new Error("spawn ps ENOENT"), { code: "ENOENT" })));
  const tree = { group, environment: ["NAME", "of no process"] } as const;
  expect(await processesOf(tree, noTable)).toEqual([-group]);
  const exited = once(main, "exit");
  for (const pid of await processesOf(tree, noTable)) sendSignal(pid, "SIGKILL");
  await exited;
  // The shell's child got the signal too: it holds no pid of this group any more once the system has reaped it.
  while (pidExists(-group)) await setImmediate();
  expect(await processesOf(tree, noTable)).toEqual([]);
  expect(await processesOf({ group: null, environment: ["NAME", "of no process"] }, noTable)).toEqual([]);
});

test.each(["readTable", "environmentVariable"] as const)(
  "while it cannot be looked for processes (%s), none counts as ended; the group is killed all the same",
  async (look) => {
    const clock = new ManualClock();
    const group = 7;
    const full = () => Promise.reject(Object.assign(new Error("EMFILE: too many open files"), { code: "EMFILE" }));
    const signals: string[] = [];
    // One has left the group (setsid): only its environment shows it.
    const strayed = { pid: 9, parent: 1, group: 9, started: "b:9", cpuSeconds: 0, reapedCpuSeconds: 0, memoryBytes: 0 };
    let isStrayAlive = true;
    const seeing: Machine = {
      ...thisMachine,
      readTable: async () => new ProcessTable(isStrayAlive ? [strayed] : []),
      environmentVariable: async () => "run",
      kill: (pid, signal) => signals.push(`${signal} ${pid}`),
      commandOf: () => [],
      killSuccessors: async () => [],
    };
    const blind: Machine = { ...seeing, [look]: full };
    let machine = blind;
    const changing = new Proxy(seeing, { get: (_, name) => Reflect.get(machine, name) });
    const said: (string | null)[] = [];
    const tree = { group, environment: ["ROBOT_APP_RUN", "run"] } as const;
    let isOver = false;
    const ended = endProcesses(tree, clock, undefined, changing, (error) => said.push(error?.message ?? null)).then(
      () => {
        isOver = true;
      },
    );
    await clock.advanceAsync(60_000);
    expect([isOver, signals.includes("SIGKILL -7"), said[0]]).toEqual([false, true, "EMFILE: too many open files"]);
    machine = seeing;
    await clock.advanceAsync(1000);
    expect([signals.includes("SIGKILL 9"), said.at(-1)]).toEqual([true, null]);
    isStrayAlive = false;
    await clock.advanceAsync(1000);
    await ended;
    expect(isOver).toBe(true);
    [machine, isStrayAlive] = [blind, true];
    await expect(processesOf(tree, changing)).rejects.toThrow("EMFILE");
  },
);

/** A helper process that ends by itself at a time of a clock, in milliseconds; the clock goes forward by what is waited for. */
async function startHelper(endsAt: number): Promise<{ group: number; clock: Clock }> {
  const helper = spawn("cat", { detached: true, stdio: ["pipe", "ignore", "ignore"] });
  await once(helper, "spawn");
  const group = helper.pid as number;
  onTestFinished(() => sendSignal(-group, "SIGKILL"));
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

/** For processes that end by SIGINT: on a busy machine that takes longer than a second. */
const PATIENT = [{ signal: "SIGINT", waitMs: DEADLINE_MS }] as const;

test("a process that handles SIGINT ends by it", async () => {
  const { pid, exit } = await startGroup("process.on('SIGINT', () => process.exit(7))");
  await endProcesses({ group: pid }, systemClock, PATIENT);
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
  const both = endProcesses({ root }, systemClock, [{ signal: "SIGINT", waitMs: 5000 }, STEPS[1]]);
  const { signalled, survivors } = await both;
  expect([signalled.length, survivors]).toEqual([2, []]);
  expect(await exit).toEqual([null, "SIGINT"]);
  // The process table leaves out what has ended and waits to be reaped.
  expect(await processesOf({ root: child })).toEqual([]);
});

/** Starts a Python program in a process group and with a variable of its own; resolves with the numbers that it prints first. */
async function startPython(script: string) {
  const run = `${process.pid} ${performance.now()}`;
  const child = spawn("python3", ["-c", `import os, signal, sys, time\n${script}`], {
    detached: true,
    stdio: ["ignore", "pipe", "inherit"],
    env: { ...process.env, TREE_TEST: run },
  });
  onTestFinished(() => sendSignal(-(child.pid as number), "SIGKILL"));
  const [line] = (await once(child.stdout, "data")) as [Buffer];
  const environment = ["TREE_TEST", run] as const;
  return { child, group: child.pid as number, environment, printed: String(line).trim().split(" ").map(Number) };
}
const isAlive = async (pid: number) => (await ProcessTable.read()).get(pid) !== undefined;

test("a process that forked twice, left its session and ignores SIGTERM is ended by its environment", async () => {
  const tree = await startPython(`
signal.signal(signal.SIGTERM, signal.SIG_IGN)
if os.fork() == 0:
    os.setsid()
    if os.fork() == 0:
        print(os.getpid(), flush=True)
        time.sleep(600)
    os._exit(0)
os.wait()
`);
  const [daemon = 0] = tree.printed;
  const { child, environment } = tree;
  if (child.exitCode === null && child.signalCode === null) await once(child, "exit");
  expect(await isAlive(daemon)).toBe(true);
  const { signalled, survivors } = await endProcesses({ environment }, systemClock, [
    { signal: "SIGTERM", waitMs: 100 },
    { signal: "SIGKILL", waitMs: 5000 },
  ]);
  expect([signalled.map(({ pid }) => pid), survivors]).toEqual([[daemon], []]);
});

test("processes that start others when they get a signal are all ended", async () => {
  const tree = await startPython(`
def fork_and_exit(*_):
    if os.fork() == 0:
        signal.pthread_sigmask(signal.SIG_UNBLOCK, [signal.SIGTERM])
    else:
        os._exit(0)
signal.signal(signal.SIGTERM, fork_and_exit)
for _ in range(5):
    if os.fork() == 0:
        break
print(os.getpid(), flush=True)
while True:
    time.sleep(600)
`);
  const { group, environment } = tree;
  const { survivors } = await endProcesses({ group, environment }, systemClock, [
    { signal: "SIGTERM", waitMs: 200 },
    { signal: "SIGKILL", waitMs: 5000 },
  ]);
  expect(survivors).toEqual([]);
  expect(await processesOf({ group, environment })).toEqual([]);
});

test("a chain of processes, each of which starts the next one and ends, is ended with its group", async () => {
  const { group, environment } = await startPython(`
print(os.getpid(), flush=True)
while True:
    if os.fork() != 0:
        os._exit(0)
`);
  await endProcesses({ group, environment }, systemClock, STEPS);
  // The system gives the group away when its last process has been reaped.
  while (pidExists(-group)) await setImmediate();
  expect(await processesOf({ group, environment })).toEqual([]);
});

test("a chain of processes that each start a session of their own is ended by its environment", async () => {
  const running = path.join(temporaryFolder("chain-"), "running");
  writeFileSync(running, "");
  onTestFinished(() => rmSync(running, { force: true }));
  const { group, environment } = await startPython(`
print(os.getpid(), flush=True)
while os.path.exists(${JSON.stringify(running)}):
    if os.fork() != 0:
        open(${JSON.stringify(running)}, "a").write(".")
        os._exit(0)
    os.setsid()
`);
  const { signalled } = await endProcesses({ group, environment }, systemClock, STEPS);
  expect(signalled).not.toEqual([]);
  const links = statSync(running).size;
  // As many processes as it takes to see that none of them was of the chain.
  for (let other = 0; other < 50; other += 1) spawnSync("true");
  expect(statSync(running).size).toBe(links);
});

test("the root alone may get a signal, and ends the others itself", async () => {
  const { group, child, printed } = await startPython(`
helper = os.fork()
if helper == 0:
    os.setsid()
    signal.signal(signal.SIGTERM, lambda *_: os._exit(3))
    time.sleep(600)
def end(*_):
    time.sleep(0.1)
    os.kill(helper, signal.SIGKILL)
    os._exit(0 if os.waitpid(helper, 0)[1] == signal.SIGKILL else 1)
signal.signal(signal.SIGTERM, end)
print(helper, flush=True)
os.wait()
`);
  const exit = once(child, "exit");
  const { signalled } = await endProcesses({ root: group, group }, systemClock, [
    { signal: "SIGTERM", waitMs: 60_000, rootOnly: true },
  ]);
  expect(signalled.map(({ pid }) => pid)).toEqual([group]);
  expect(await exit).toEqual([0, null]);
  expect(await isAlive(printed[0] as number)).toBe(false);
});

test("what a supervisor leaves that was killed is ended with it, in whatever session", async () => {
  const { group, printed } = await startPython(`
if os.fork() == 0:
    os.setsid()
    print(os.getpid(), flush=True)
    time.sleep(600)
os.wait()
`);
  let reads = 0;
  const killedAfterFirst = async () => {
    const table = await ProcessTable.read();
    reads += 1;
    if (reads === 1) sendSignal(group, "SIGKILL");
    return table;
  };
  const { survivors } = await endProcesses({ root: group }, systemClock, STEPS, withTable(killedAfterFirst));
  expect(survivors).toEqual([]);
  expect(await isAlive(printed[0] as number)).toBe(false);
});

test("a process that gets the number of an ended root is not touched", async () => {
  const { pid, exit } = await startGroup("process.on('SIGINT', () => process.exit(7))");
  const entryOf = (pid: number, started: string, parent: number): ProcessEntry => {
    return { pid, parent, group: pid, started, cpuSeconds: 0, reapedCpuSeconds: 0, memoryBytes: 0 };
  };
  // No process has such a number: it stands for a member of the tree that survives.
  const member = entryOf(2 ** 30, "before", pid);
  const tables = [[entryOf(pid, "before", 1), member], [member]];
  const read = async () => new ProcessTable(tables.shift() ?? [entryOf(pid, "later", 1), member]);
  const { survivors } = await endProcesses(
    { root: pid },
    systemClock,
    [
      { signal: null, waitMs: 200 },
      { signal: "SIGKILL", waitMs: 100 },
    ],
    withTable(read),
  );
  expect(survivors).toEqual([member.pid]);
  sendSignal(pid, "SIGINT");
  expect(await exit).toEqual([7, null]);
});
