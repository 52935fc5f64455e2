import { spawn } from "node:child_process";
import { once } from "node:events";
import { readdir, readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { kill } from "node:process";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { systemClock } from "../../../common/clock.ts";
import { identityOf, ProcessTable } from "../../../common/process-table.ts";
import type { AppProcessEvent, LogLine } from "../../../robot/wire/apps/app-events.ts";
import type { AppProcess } from "../slot/app-process.ts";
import { OrphanedApp, type OrphanedAppParts } from "../stop/orphaned-app.ts";
import { writeRunningApp } from "../stop/running-app-file.ts";
import { addDistribution } from "../testing/distribution.ts";
import { createTestVenv, type TestVenv } from "../testing/test-venv.ts";
import { RUN_ID_VARIABLE } from "./app-command.ts";
import { createLauncher } from "./app-launcher.ts";

const APPS = [
  "obedient",
  "crash_at_import",
  "crash_in_run",
  "exits_by_itself",
  "ignores_sigint",
  "ignores_everything",
  "slow_exit",
  "slow_import",
  "spins",
  "children_left_behind",
  "grandchild_holds_stdout",
  "escapee_holds_stdout",
  "no_newline",
  "output_flood",
  "shows_surroundings",
];
let home: TestVenv;
const started: AppProcess[] = [];

beforeAll(async () => {
  home = await createTestVenv();
  for (const app of APPS) await home.add(app);
});
afterEach(async () => {
  for (const process of started.splice(0)) {
    process.stop(false);
    await process.exited;
  }
});
afterAll(() => home.remove());

interface Launched extends AppProcess {
  lines: LogLine[];
  events: AppProcessEvent[];
  /** Settles with the first line that holds the text. */
  line(text: string): Promise<string>;
}

async function launch(
  app: string,
  options: { env?: Record<string, string>; graceMs?: number } = {},
): Promise<Launched> {
  const lines: LogLine[] = [];
  const events: AppProcessEvent[] = [];
  const waiting = new Set<() => void>();
  const add = (line: LogLine): void => {
    lines.push(line);
    for (const wake of [...waiting]) wake();
  };
  const run = createLauncher({
    venv: home.venv,
    workDir: path.join(home.root, "work"),
    runningAppFile: path.join(home.root, "running.json"),
    env: { PATH: process.env.PATH, ...options.env },
    clock: systemClock,
    graceMs: options.graceMs ?? 5000,
    logs: {
      add,
      addNote: (name, text) => add({ time: 0, app: name, from: "daemon", text }),
    },
    onProcess: (event) => events.push(event),
  });
  const info = { name: app, source_kind: "installed", description: "", url: null, extra: {} } as const;
  const appProcess = await run({ info, module: `${app}.main`, file: null });
  started.push(appProcess);
  const line = (text: string) =>
    new Promise<string>((resolve) => {
      const look = () => {
        const found = lines.find((candidate) => candidate.from !== "daemon" && candidate.text.includes(text));
        if (found === undefined) return;
        waiting.delete(look);
        resolve(found.text);
      };
      waiting.add(look);
      look();
    });
  return { ...appProcess, lines, events, line };
}

const alive = async (...pids: number[]) =>
  (await ProcessTable.read()).entries.map((entry) => entry.pid).filter((pid) => pids.includes(pid));

describe("a well-behaved app", () => {
  test("exits on SIGINT through its stop event", async () => {
    const app = await launch("obedient");
    await app.line("running");
    app.stop(false);
    expect(await app.exited).toMatchObject({ code: 0, signal: null, forced: false });
    expect(app.lines.map((line) => line.text)).toContain("stopped");
  });

  test("may use the whole grace period to exit", async () => {
    const app = await launch("slow_exit");
    await app.line("running");
    app.stop(false);
    app.stop(false);
    expect(await app.exited).toMatchObject({ code: 0, forced: false });
    expect(app.lines.map((line) => line.text)).toContain("cleaned up");
  });

  test("may exit by itself", async () => {
    const app = await launch("exits_by_itself");
    expect(await app.exited).toMatchObject({ code: 0, signal: null });
  });

  test("runs in its own folder, with the daemon's environment without Python overrides, and without standard input", async () => {
    const app = await launch("shows_surroundings", {
      env: {
        ROBOT_DAEMON_URL: "http://127.0.0.1:8000",
        KEY: "inherited",
        PYTHONPATH: "/nowhere",
        VIRTUAL_ENV: "/other",
      },
    });
    const seen = JSON.parse(await app.line("{"));
    expect(seen.env).toMatchObject({ KEY: "inherited", ROBOT_DAEMON_URL: "http://127.0.0.1:8000" });
    expect(Object.keys(seen.env)).not.toContain("PYTHONPATH");
    expect(Object.keys(seen.env)).not.toContain("VIRTUAL_ENV");
    expect(seen.cwd).toBe(path.join(home.root, "work", "shows_surroundings"));
    expect(await readdir(seen.cwd)).toEqual([]);
    expect(seen.argv.slice(1)).toEqual(["-u", "-m", "shows_surroundings.main"]);
    expect(seen).toMatchObject({ prefix: home.venv, stdin: "", group_leader: true, sigint_heard: true });
  });
});

describe("a faulty app", () => {
  test("crashes at import: the traceback is reported", async () => {
    const end = await (await launch("crash_at_import")).exited;
    expect(end.code).toBe(1);
    expect(end.lastErrors.at(-1)).toBe("RuntimeError: this app cannot be imported");
  });

  test("crashes in run: the traceback is reported", async () => {
    const end = await (await launch("crash_in_run")).exited;
    expect(end).toMatchObject({ code: 1, signal: null });
    expect(end.lastErrors.at(-1)).toBe("ValueError: the antenna is made of cheese");
  });

  test("can be stopped while it imports", async () => {
    const app = await launch("slow_import");
    await app.line("importing");
    app.stop(false);
    expect(await app.exited).toMatchObject({ signal: "SIGINT", forced: false });
  });

  test("runs a busy loop: SIGINT ends it", async () => {
    const app = await launch("spins");
    await app.line("running");
    app.stop(false);
    expect(await app.exited).toMatchObject({ signal: "SIGINT", forced: false });
  });

  test("ignores SIGINT: SIGTERM ends it after the grace period", async () => {
    const app = await launch("ignores_sigint", { graceMs: 50 });
    await app.line("running");
    app.stop(false);
    expect(await app.exited).toMatchObject({ signal: "SIGTERM", forced: true });
  });

  test("ignores SIGTERM too: SIGKILL ends it", async () => {
    const app = await launch("ignores_everything", { graceMs: 50 });
    await app.line("running");
    app.stop(false);
    expect(await app.exited).toMatchObject({ signal: "SIGKILL", forced: true });
  });

  test("leaves children behind, one of which ignores SIGTERM: all are ended", async () => {
    const app = await launch("children_left_behind");
    const children = (await app.line("children")).split(" ").slice(1).map(Number);
    expect(children).toHaveLength(2);
    expect(await app.exited).toMatchObject({ code: 0 });
    expect(await alive(...children)).toEqual([]);
    const [start, exit] = app.events;
    expect(start).toMatchObject({ what: "started", app: "children_left_behind", pid: app.pid });
    expect(exit).toMatchObject({ what: "exited", pid: app.pid, code: 0, signal: null, forced: false, survivors: [] });
    const left = exit?.what === "exited" ? exit.leftBehind.map(({ pid }) => pid) : [];
    expect(left.toSorted()).toEqual(children.toSorted());
  });

  test("leaves a process in another session that holds its output: the exit of the main process counts", async () => {
    const app = await launch("grandchild_holds_stdout");
    const child = Number((await app.line("children")).split(" ")[1]);
    expect(await app.exited).toMatchObject({ code: 0 });
    expect(await alive(child)).toEqual([]);
  });

  test("leaves a process that cannot be identified as its own: the end does not wait for that process's output", async () => {
    const app = await launch("escapee_holds_stdout");
    const child = Number((await app.line("children")).split(" ")[1]);
    expect(await app.exited).toMatchObject({ code: 0 });
    expect(await alive(child)).toEqual([child]);
    kill(child, "SIGKILL");
  });

  test("prints a megabyte without a newline: the line is cut, and the app runs on", async () => {
    const app = await launch("no_newline");
    await app.line("running");
    const longest = Math.max(...app.lines.map((line) => line.text.length));
    expect(longest).toBe(8192);
    expect(app.lines.map((line) => line.text)).toContain("100 %");
    app.stop(false);
    expect(await app.exited).toMatchObject({ code: 0 });
  });

  test("prints too many lines: the log leaves some out and says so, and the app can be stopped", async () => {
    const app = await launch("output_flood");
    await app.line("line 1999");
    await app.line("lines left out");
    app.stop(false);
    expect(await app.exited).toMatchObject({ code: 0, forced: false });
  });
});

describe("an app that loses the first SIGINT is stopped all the same", () => {
  const LOSES_ONE = `
import signal, sys
heard = []
def handle(number, frame):
    heard.append(number)
    print("heard", len(heard), flush=True)
    if len(heard) == 2:
        sys.exit(0)
signal.signal(signal.SIGINT, handle)
print("running", flush=True)
while True:
    signal.pause()
`;

  test.each([
    ["while it starts", true],
    ["when it had its time to connect, and did not", false],
  ])("%s", async (_, isStarting) => {
    await addDistribution(home.sitePackages, { name: "loses_sigint", files: { "loses_sigint/main.py": LOSES_ONE } });
    const app = await launch("loses_sigint");
    await app.line("running");
    app.stop(isStarting);
    expect(await app.exited).toMatchObject({ code: 0, signal: null, forced: false });
  });

  test("as soon as Python reports that it ignored the interrupt, in whatever state", async () => {
    const main = `
import signal
class Resource:
    def __del__(self):
        print("running", flush=True)
        signal.pause()
Resource()
signal.pause()
`;
    await addDistribution(home.sitePackages, { name: "loses_interrupt", files: { "loses_interrupt/main.py": main } });
    const app = await launch("loses_interrupt", { graceMs: 600_000 });
    await app.line("running");
    app.connected();
    app.stop(false);
    expect(await app.exited).toMatchObject({ signal: "SIGINT", forced: false });
    expect(app.lines.map(({ text }) => text)).toContainEqual(expect.stringMatching(/^Exception ignored in: .*__del__/));
  });
});

test("an app that has connected gets one SIGINT", async () => {
  const main = `
import signal, sys, time
signal.signal(signal.SIGINT, lambda *_: print("heard", flush=True))
print("running", flush=True)
signal.pause()
time.sleep(2)
`;
  await addDistribution(home.sitePackages, { name: "cleans_up", files: { "cleans_up/main.py": main } });
  const app = await launch("cleans_up", { graceMs: 3000 });
  await app.line("running");
  app.connected();
  app.stop(false);
  await app.exited;
  expect(app.lines.filter(({ text }) => text === "heard")).toHaveLength(1);
});

test("SIGINT reaches the app although the daemon was started with SIGINT ignored", async () => {
  const script = `
    import { systemClock } from "./common/clock.ts";
    import { createLauncher } from "./daemon/apps/start/app-launcher.ts";
    const [venv, root] = process.argv.slice(-2);
    const logs = { add: (line) => line.text === "running" && app.stop(false), addNote: () => {} };
    const run = createLauncher({ venv, workDir: root, runningAppFile: root + "/ignored.json", env: {}, clock: systemClock, graceMs: 5000, logs });
    const app = await run({ info: { name: "obedient", extra: {} }, module: "obedient.main" });
    console.log(JSON.stringify(await app.exited));`;
  const shell = `trap "" INT; exec "$@"`;
  const node = [process.execPath, "--import", "tsx", "--input-type=module", "-e", script, home.venv, home.root];
  const daemon = spawn("sh", ["-c", shell, "sh", ...node], { stdio: ["ignore", "pipe", "inherit"] });
  let output = "";
  daemon.stdout.on("data", (chunk) => {
    output += chunk;
  });
  await once(daemon, "close");
  expect(JSON.parse(output)).toMatchObject({ code: 0, signal: null, forced: false });
});

describe("after the daemon was killed", () => {
  const runningAppFile = () => path.join(home.root, "left.json");
  const ENDED = "obedient was still running from an earlier daemon; it was ended.";

  /** What the next daemon reports about it. */
  async function endOrphan(identify?: OrphanedAppParts["identify"]): Promise<string[]> {
    const found: string[] = [];
    const parts = { file: runningAppFile(), clock: systemClock, onFound: (message: string) => found.push(message) };
    await new OrphanedApp(identify === undefined ? parts : { ...parts, identify }).end();
    return found;
  }

  test("the app that it left running is ended", async () => {
    const app = await launch("obedient");
    await app.line("running");
    await writeRunningApp(runningAppFile(), "obedient", app.pid, "the run id of no process");
    expect(await endOrphan()).toEqual([ENDED]);
    await app.exited;
    expect(await endOrphan()).toEqual([]);
  });

  test("another process that has the app's pid by now is not touched", async () => {
    const app = await launch("obedient");
    await app.line("running");
    await writeRunningApp(runningAppFile(), "obedient", app.pid, "the run id of no process");
    const text = await readFile(runningAppFile(), "utf8");
    await writeFile(runningAppFile(), text.replace(/"started":"[^"]*"/, '"started":"earlier"'));
    expect(await endOrphan()).toEqual([]);
    expect(await alive(app.pid)).toEqual([app.pid]);
  });

  /** A main process that leaves one process in its group. Neither has the run id, so only the group identifies them. */
  async function orphan(): Promise<{ group: number; left: number; mainExited: Promise<unknown> }> {
    const script = "sleep 600 >/dev/null & echo $!; read wait";
    const main = spawn("sh", ["-c", script], { detached: true, stdio: ["pipe", "pipe", "inherit"], env: {} });
    const [line] = (await once(main.stdout, "data")) as [Buffer];
    const mainExited = once(main, "exit");
    return {
      group: main.pid as number,
      left: Number(String(line)),
      get mainExited() {
        main.stdin.end();
        return mainExited;
      },
    };
  }

  test.each(["before", "after"])(
    "a process in the group of a main process that exited %s it was written down is ended",
    async (when) => {
      const app = await orphan();
      if (when === "before") await app.mainExited;
      await writeRunningApp(runningAppFile(), "obedient", app.group, "the run id of no process");
      await app.mainExited;
      expect(await alive(app.left)).toEqual([app.left]);
      expect(await endOrphan()).toEqual([ENDED]);
      expect(await alive(app.left)).toEqual([]);
    },
  );

  test("an app is ended of which only the run id was written down", async () => {
    const app = spawn("sleep", ["600"], {
      detached: true,
      stdio: "ignore",
      env: { [RUN_ID_VARIABLE]: "run id of the app" },
    });
    await once(app, "spawn");
    const exited = once(app, "exit");
    await writeRunningApp(runningAppFile(), "obedient", null, "run id of the app");
    expect(await endOrphan()).toEqual([ENDED]);
    await exited;
  });

  describe("and the process table cannot be read", () => {
    const unreadable = () => Promise.reject(new Error("spawn ps EAGAIN"));

    test("the app is reported with the command that ends it, and ended as soon as the table can be read", async () => {
      const app = await launch("obedient");
      await app.line("running");
      await writeRunningApp(runningAppFile(), "obedient", app.pid, "the run id of no process");
      const found: string[] = [];
      let canRead = false;
      const orphan = new OrphanedApp({
        file: runningAppFile(),
        clock: systemClock,
        onFound: (message) => found.push(message),
        identify: (pid) => (canRead ? identityOf(pid) : unreadable()),
      });
      await orphan.end();
      expect(found).toEqual([
        `Cannot tell whether obedient still runs from an earlier daemon, as process group ${app.pid}: spawn ps EAGAIN. If it does, end it with "kill -- -${app.pid}".`,
      ]);
      expect(await alive(app.pid)).toEqual([app.pid]);
      canRead = true;
      await orphan.end();
      await app.exited;
      await orphan.end();
      expect(found.slice(1)).toEqual([ENDED]);
    });

    test("nothing is reported about an app that has ended", async () => {
      const app = await launch("exits_by_itself");
      await app.exited;
      await writeRunningApp(runningAppFile(), "exits_by_itself", app.pid, "the run id of no process");
      expect(await endOrphan(unreadable)).toEqual([]);
      expect(await endOrphan()).toEqual([]);
    });

    test("an app is written down with its run id, by which the next daemon finds it", async () => {
      const app = spawn("sleep", ["600"], {
        detached: true,
        stdio: "ignore",
        env: { [RUN_ID_VARIABLE]: "its run id" },
      });
      await once(app, "spawn");
      const exited = once(app, "exit");
      await writeRunningApp(runningAppFile(), "obedient", app.pid as number, "its run id", unreadable);
      expect(await endOrphan()).toEqual([ENDED]);
      await exited;
    });
  });

  test("a start that fails leaves no file of a running app", async () => {
    const run = createLauncher({
      venv: path.join(home.root, "no-such-environment"),
      workDir: path.join(home.root, "work"),
      runningAppFile: runningAppFile(),
      env: {},
      clock: systemClock,
      graceMs: 1000,
      logs: { add: () => {}, addNote: () => {} },
    });
    const app = { info: { name: "obedient" }, module: "obedient.main" } as unknown as Parameters<typeof run>[0];
    await expect(run(app)).rejects.toMatchObject({ code: "app-start-failed" });
    expect(await readdir(home.root)).not.toContain("left.json");
  });
});
