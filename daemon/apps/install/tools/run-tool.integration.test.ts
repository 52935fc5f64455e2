import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { createReadStream } from "node:fs";
import { mkdir, readFile } from "node:fs/promises";
import path from "node:path";
import { kill } from "node:process";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { identityOf, type ProcessIdentity } from "../../../../common/machine/process-table.ts";
import { temporaryFolder } from "../../../../common/testing/temporary-folder.ts";
import { systemClock } from "../../../../common/time/clock.ts";
import { waitFor } from "../../../../common/time/wait-for.ts";
import { runTool, type Tool } from "./run-tool.ts";

/**
 * A build helper that leaves its parent, its session and its environment: only the chain of processes leads to it. Its
 * pid is in the file `helper`. It ignores what it can, and holds the output of the tool.
 */
const DETACH = `
import os, sys, time
def detach():
    if os.fork() == 0:
        os.setsid()
        if os.fork() == 0:
            script = """
import os, signal, time
for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
    signal.signal(number, signal.SIG_IGN)
open("helper.part", "w").write(str(os.getpid()))
os.rename("helper.part", "helper")
time.sleep(600)
"""
            os.execve(sys.executable, [sys.executable, "-c", script], {})
        os._exit(0)
    os.wait()
    while not os.path.exists("helper"):
        time.sleep(0.01)
`;

const MINUTE = 60_000;
const STUBBORN = "import signal; signal.signal(signal.SIGINT, signal.SIG_IGN)";
let folder: string;
let lines: string[];
beforeEach(() => {
  folder = temporaryFolder("tool-");
  lines = [];
});
afterEach(async () => {
  const left = await helper().catch(() => null);
  if (left !== null) kill(left.pid, "SIGKILL");
});

const tool = (script: string, timeoutMs = MINUTE): Tool => ({
  file: "/usr/bin/python3",
  args: ["-c", script],
  cwd: folder,
  env: { PATH: "/usr/bin:/bin" },
  python: "/usr/bin/python3",
  runId: `test ${folder}`,
  timeoutMs,
});
const run = (script: string, options: { timeoutMs?: number; signal?: AbortSignal } = {}) =>
  runTool(tool(script, options.timeoutMs), {
    clock: systemClock,
    signal: options.signal,
    onLine: (line) => lines.push(line),
  });

/** The helper's process; null when it has ended. @throws Error before it was started */
const helper = async (): Promise<ProcessIdentity | null> =>
  identityOf(Number(await readFile(path.join(folder, "helper"), "utf8")));
const helperRuns = () => waitFor(MINUTE, "the helper runs", helper);

describe("a process that leaves the tool's group, session and environment is ended when the tool", () => {
  test("has exited", async () => {
    await run(`${DETACH}\ndetach()\nprint("ready")`);
    expect(await helper()).toBeNull();
    expect(lines).toEqual(["ready"]);
  });

  test("fails: its exit code and its last line are reported", async () => {
    const failed = run(`${DETACH}\ndetach()\nsys.exit("error: no luck")`);
    await expect(failed).rejects.toThrow(/^error: no luck \(.* ended with 1\)$/s);
    expect(await helper()).toBeNull();
  });

  test.each([
    ["is cancelled", ""],
    ["ignores its cancellation", STUBBORN],
  ])("%s", async (_, first) => {
    const cancel = new AbortController();
    const cancelled = expect(
      run(`${DETACH}\n${first}\ndetach()\ntime.sleep(600)`, { signal: cancel.signal }),
    ).rejects.toThrow("changed my mind");
    await helperRuns();
    cancel.abort(new Error("changed my mind"));
    await cancelled;
    expect(await helper()).toBeNull();
  });

  test("passes its deadline", async () => {
    const late = expect(run(`${DETACH}\ndetach()\ntime.sleep(600)`, { timeoutMs: 1500 })).rejects;
    await late.toMatchObject({ code: "deadline-passed" });
    expect(await helper().catch(() => null)).toBeNull();
  });

  test("waits for nobody but that process, whose output it reads", async () => {
    await run(`${DETACH}
end, other_end = os.pipe()
if os.fork() == 0:
    os.dup2(other_end, 1)
    detach()
    os._exit(0)
os.wait()
os.close(other_end)
os.read(end, 1)
print("over")`);
    expect(lines).toEqual([
      expect.stringMatching(/^ended a process that the build left behind: \d+ \S*python3/),
      "over",
    ]);
    expect(await helper()).toBeNull();
  });

  test("loses the daemon", async () => {
    const script = `
      import { systemClock } from "./common/time/clock.ts";
      import { runTool } from "./daemon/apps/install/tools/run-tool.ts";
      await runTool(JSON.parse(process.argv.at(-1)), { clock: systemClock, onLine: () => {} });`;
    const args = ["--import", "tsx", "--input-type=module", "-e", script];
    const endless = JSON.stringify(tool(`${DETACH}\ndetach()\ntime.sleep(600)`));
    const daemon = spawn(process.execPath, [...args, endless], { stdio: ["ignore", "inherit", "inherit"] });
    await helperRuns();
    daemon.kill("SIGKILL");
    await once(daemon, "exit");
    await waitFor(MINUTE, "the helper has ended", async () => (await helper()) === null);
  });
});

test("a chain of six hundred processes is ended with the tool", async () => {
  const script = `
f() {
  if [ "$1" -eq 0 ]; then sh -c 'echo $PPID' > helper.part; mv helper.part helper; sleep 600; else (f $(($1 - 1))); true; fi
}
f 600 &
while [ ! -e helper ]; do sleep 0.05; done`;
  const shell = { ...tool("", 3 * MINUTE), file: "/bin/sh", args: ["-c", script] };
  await runTool(shell, { clock: systemClock, onLine: () => {} });
  expect(await helper()).toBeNull();
});

test("a chain of processes, each of which starts the next one in a session of its own and exits, is ended with the tool", async () => {
  const pipe = path.join(folder, "pipe");
  execFileSync("mkfifo", [pipe]);
  // It ends when no process of the chain is left that holds the other end.
  const ended = once(createReadStream(pipe).resume(), "end");
  await run(`
import os, sys, time
chain = """
import os
os.open("pipe", os.O_WRONLY)
open("runs", "x").close()
while os.path.exists("pipe"):
    if os.fork() != 0:
        os._exit(0)
    os.setsid()
"""
if os.fork() == 0:
    os.execve(sys.executable, [sys.executable, "-ISc", chain], {})
while not os.path.exists("runs"):
    time.sleep(0.01)`);
  await ended;
});

test("a tool that cannot be started is named", async () => {
  const missing = runTool({ ...tool(""), file: "/no/such/tool" }, { clock: systemClock, onLine: () => {} });
  await expect(missing).rejects.toMatchObject({
    code: "install-failed",
    message: expect.stringMatching(/\/no\/such\/tool does not start: No such file/),
  });
});

test("the exit by a signal is reported as one", async () => {
  await expect(run("import os; print('why', flush=True); os.kill(os.getpid(), 9)")).rejects.toThrow("why (python3 -c");
  await expect(run("import os; os.kill(os.getpid(), 9)")).rejects.toThrow("ended with SIGKILL");
});

test("a tool gets no input and its run id", async () => {
  await run(`import os, sys; print(repr(sys.stdin.read()), os.environ["ROBOT_APP_RUN"])`);
  expect(lines).toEqual([`'' test ${folder}`]);
});

test("no signal is ignored or blocked in a tool", async () => {
  const show = { ...tool(""), file: "grep", args: ["-E", "^Sig(Ign|Blk)", "/proc/self/status"] };
  await runTool(show, { clock: systemClock, onLine: (line) => lines.push(line) });
  // The upper half are real-time signals, two of which the C library keeps for itself.
  expect(lines).toEqual([
    expect.stringMatching(/^SigBlk:\s+0{16}$/),
    expect.stringMatching(/^SigIgn:\s+\w{8}[08]0{7}$/),
  ]);
});

describe("the log of a tool that fails", () => {
  const logged = (script: string) => {
    const log = path.join(folder, "tool.log");
    return runTool({ ...tool(`import os, sys\n${script}`), log }, { clock: systemClock, onLine: () => {} });
  };

  test("may name the reason", async () => {
    const failed = logged(`open("tool.log", "w").write("Could not fetch URL https://x/: 503"); sys.exit(1)`);
    await expect(failed).rejects.toMatchObject({ code: "index-unreachable" });
  });

  test("is deleted first, also where a folder has its place", async () => {
    await mkdir(path.join(folder, "tool.log"));
    await expect(logged(`open("tool.log", "x"); sys.exit("error: no luck")`)).rejects.toThrow("error: no luck");
  });

  test.each([
    ["a pipe that nobody writes to", `os.mkfifo("tool.log")`],
    [
      "a link to a file",
      `open("other", "w").write("Could not fetch URL https://x/: 503"); os.symlink("other", "tool.log")`,
    ],
    ["a folder", `os.mkdir("tool.log")`],
    ["missing", ""],
  ])("is not read when it is %s", async (_, replace) => {
    const failed = logged(`${replace}\nsys.exit("error: no luck")`);
    await expect(failed).rejects.toMatchObject({
      code: "install-failed",
      message: expect.stringMatching(/^error: no luck/),
    });
  });

  test("is read from its end when something else made it huge", async () => {
    const failed = logged(`
with open("tool.log", "wb") as log:
    log.truncate(8 << 30)
    log.seek(0, 2)
    log.write(b"\\nCould not fetch URL https://x/: 503")
sys.exit(1)`);
    await expect(failed).rejects.toMatchObject({ code: "index-unreachable" });
  });
});
