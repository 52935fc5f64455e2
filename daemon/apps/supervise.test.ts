import { spawn } from "node:child_process";
import { once } from "node:events";
import { readdir, readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { kill } from "node:process";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { systemClock } from "../clock.ts";
import type { LogLine } from "./app-events.ts";
import type { AppProcess } from "./slot/app-process.ts";
import { RUN_MARK } from "./start/command.ts";
import { processTable } from "./stop/process-table.ts";
import { endLeftovers, noteRunning } from "./stop/running-note.ts";
import { supervisor } from "./supervise.ts";
import { type HandmadeVenv, handmadeVenv } from "./testing/handmade-venv.ts";

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
let home: HandmadeVenv;
const started: AppProcess[] = [];

beforeAll(async () => {
  home = await handmadeVenv();
  for (const app of APPS) await home.add(app);
});
afterEach(async () => {
  for (const process of started.splice(0)) {
    process.stop();
    await process.gone;
  }
});
afterAll(() => home.remove());

interface Launched extends AppProcess {
  lines: LogLine[];
  /** Settles with the first line that holds the text. */
  line(text: string): Promise<string>;
}

async function launch(
  app: string,
  options: { env?: Record<string, string>; graceMs?: number } = {},
): Promise<Launched> {
  const lines: LogLine[] = [];
  const waiting = new Set<() => void>();
  const run = supervisor({
    venv: home.venv,
    workDir: path.join(home.root, "work"),
    noteFile: path.join(home.root, "running.json"),
    env: { PATH: process.env.PATH, ...options.env },
    clock: systemClock,
    graceMs: options.graceMs ?? 5000,
    onLine(line) {
      lines.push(line);
      for (const wake of [...waiting]) wake();
    },
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
  return { ...appProcess, lines, line };
}

const alive = async (...pids: number[]) =>
  (await processTable()).map((entry) => entry.pid).filter((pid) => pids.includes(pid));

describe("an app that does as it should", () => {
  test("leaves on SIGINT through its stop event", async () => {
    const app = await launch("obedient");
    await app.line("running");
    app.stop();
    expect(await app.gone).toMatchObject({ code: 0, signal: null, forced: false });
    expect(app.lines.map((line) => line.text)).toContain("stopped");
  });

  test("may take its time within the grace period", async () => {
    const app = await launch("slow_exit");
    await app.line("running");
    app.stop();
    app.stop();
    expect(await app.gone).toMatchObject({ code: 0, forced: false });
    expect(app.lines.map((line) => line.text)).toContain("cleaned up");
  });

  test("may leave by itself", async () => {
    const app = await launch("exits_by_itself");
    expect(await app.gone).toMatchObject({ code: 0, signal: null });
  });

  test("runs in a folder of its own, with the daemon's environment less what bends Python, and no input", async () => {
    const app = await launch("shows_surroundings", {
      env: { ROBOT_DAEMON_URL: "http://127.0.0.1:8000", KEY: "kept", PYTHONPATH: "/nowhere", VIRTUAL_ENV: "/other" },
    });
    const seen = JSON.parse(await app.line("{"));
    expect(seen.env).toMatchObject({ KEY: "kept", ROBOT_DAEMON_URL: "http://127.0.0.1:8000" });
    expect(Object.keys(seen.env)).not.toContain("PYTHONPATH");
    expect(Object.keys(seen.env)).not.toContain("VIRTUAL_ENV");
    expect(seen.cwd).toBe(path.join(home.root, "work", "shows_surroundings"));
    expect(await readdir(seen.cwd)).toEqual([]);
    expect(seen.argv.slice(1)).toEqual(["-u", "-m", "shows_surroundings.main"]);
    expect(seen).toMatchObject({ prefix: home.venv, stdin: "", group_leader: true, sigint_heard: true });
  });
});

describe("an app that does not", () => {
  test("crashes at import: the end carries the traceback", async () => {
    const end = await (await launch("crash_at_import")).gone;
    expect(end.code).toBe(1);
    expect(end.lastErrors.at(-1)).toBe("RuntimeError: this app cannot be imported");
  });

  test("crashes in run", async () => {
    const end = await (await launch("crash_in_run")).gone;
    expect(end).toMatchObject({ code: 1, signal: null });
    expect(end.lastErrors.at(-1)).toBe("ValueError: the antenna is made of cheese");
  });

  test("is interrupted while it imports", async () => {
    const app = await launch("slow_import");
    await app.line("importing");
    app.stop();
    expect(await app.gone).toMatchObject({ signal: "SIGINT", forced: false });
  });

  test("spins: SIGINT ends it", async () => {
    const app = await launch("spins");
    await app.line("running");
    app.stop();
    expect(await app.gone).toMatchObject({ signal: "SIGINT", forced: false });
  });

  test("ignores SIGINT: SIGTERM ends it after the grace period", async () => {
    const app = await launch("ignores_sigint", { graceMs: 50 });
    await app.line("running");
    app.stop();
    expect(await app.gone).toMatchObject({ signal: "SIGTERM", forced: true });
  });

  test("ignores SIGTERM too: SIGKILL ends it", async () => {
    const app = await launch("ignores_everything", { graceMs: 50 });
    await app.line("running");
    app.stop();
    expect(await app.gone).toMatchObject({ signal: "SIGKILL", forced: true });
  });

  test("leaves children behind, one deaf to SIGTERM: all are ended", async () => {
    const app = await launch("children_left_behind");
    const children = (await app.line("children")).split(" ").slice(1).map(Number);
    expect(children).toHaveLength(2);
    expect(await app.gone).toMatchObject({ code: 0 });
    expect(await alive(...children)).toEqual([]);
  });

  test("leaves a process of another session that holds its output: the leader's exit is the end", async () => {
    const app = await launch("grandchild_holds_stdout");
    const child = Number((await app.line("children")).split(" ")[1]);
    expect(await app.gone).toMatchObject({ code: 0 });
    expect(await alive(child)).toEqual([]);
  });

  test("leaves a process that cannot be known for its own: the end does not wait for its output", async () => {
    const app = await launch("escapee_holds_stdout");
    const child = Number((await app.line("children")).split(" ")[1]);
    expect(await app.gone).toMatchObject({ code: 0 });
    expect(await alive(child)).toEqual([child]);
    kill(child, "SIGKILL");
  });

  test("prints a megabyte without a newline: it is cut, and the app goes on", async () => {
    const app = await launch("no_newline");
    await app.line("running");
    const longest = Math.max(...app.lines.map((line) => line.text.length));
    expect(longest).toBe(8192);
    expect(app.lines.map((line) => line.text)).toContain("100 %");
    app.stop();
    expect(await app.gone).toMatchObject({ code: 0 });
  });

  test("floods its output: the log stays small, says so, and the app can be stopped", async () => {
    const app = await launch("output_flood");
    await app.line("line 1999");
    await app.line("lines left out");
    app.stop();
    expect(await app.gone).toMatchObject({ code: 0, forced: false });
  });
});

test("SIGINT is heard where the daemon itself was started with SIGINT ignored", async () => {
  const script = `
    import { systemClock } from "./daemon/clock.ts";
    import { supervisor } from "./daemon/apps/supervise.ts";
    const [venv, root] = process.argv.slice(-2);
    const onLine = (line) => line.text === "running" && app.stop();
    const run = supervisor({ venv, workDir: root, noteFile: root + "/deaf.json", env: {}, clock: systemClock, graceMs: 5000, onLine });
    const app = await run({ info: { name: "obedient" }, module: "obedient.main" });
    console.log(JSON.stringify(await app.gone));`;
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

describe("after a daemon that was killed", () => {
  const note = () => path.join(home.root, "left.json");

  test("the app that it left is ended", async () => {
    const app = await launch("obedient");
    await app.line("running");
    await noteRunning(note(), "obedient", app.pid, "a mark that nothing carries");
    expect(await endLeftovers(note(), systemClock)).toBe("obedient");
    await app.gone;
    expect(await endLeftovers(note(), systemClock)).toBeNull();
  });

  test("a process that has got its number since is left alone", async () => {
    const app = await launch("obedient");
    await app.line("running");
    await noteRunning(note(), "obedient", app.pid, "a mark that nothing carries");
    const text = await readFile(note(), "utf8");
    await writeFile(note(), text.replace(/"started":"[^"]*"/, '"started":"earlier"'));
    expect(await endLeftovers(note(), systemClock)).toBeNull();
    expect(await alive(app.pid)).toEqual([app.pid]);
  });

  /** A leader that leaves one process behind in its group; without the mark, so only the group tells whose it is. */
  async function orphan(): Promise<{ group: number; left: number; leaderGone: Promise<unknown> }> {
    const script = "sleep 600 >/dev/null & echo $!; read wait";
    const leader = spawn("sh", ["-c", script], { detached: true, stdio: ["pipe", "pipe", "inherit"], env: {} });
    const [line] = (await once(leader.stdout, "data")) as [Buffer];
    const leaderGone = once(leader, "exit");
    return {
      group: leader.pid as number,
      left: Number(String(line)),
      get leaderGone() {
        leader.stdin.end();
        return leaderGone;
      },
    };
  }

  test.each(["before", "after"])(
    "what lives on in the group of a leader that went %s it was noted is ended",
    async (when) => {
      const app = await orphan();
      if (when === "before") await app.leaderGone;
      await noteRunning(note(), "obedient", app.group, "a mark that nothing carries");
      await app.leaderGone;
      expect(await alive(app.left)).toEqual([app.left]);
      expect(await endLeftovers(note(), systemClock)).toBe("obedient");
      expect(await alive(app.left)).toEqual([]);
    },
  );

  test("an app of which only the mark was noted, before it was started, is ended", async () => {
    const app = spawn("sleep", ["600"], { detached: true, stdio: "ignore", env: { [RUN_MARK]: "of this run" } });
    await once(app, "spawn");
    const gone = once(app, "exit");
    await noteRunning(note(), "obedient", null, "of this run");
    expect(await endLeftovers(note(), systemClock)).toBe("obedient");
    await gone;
  });

  test("an app is noted before its process begins, and no more once it cannot be started", async () => {
    const noteFile = note();
    const run = supervisor({
      venv: path.join(home.root, "no-such-environment"),
      workDir: path.join(home.root, "work"),
      noteFile,
      env: {},
      clock: systemClock,
      graceMs: 1000,
      onLine: () => {},
    });
    const app = { info: { name: "obedient" }, module: "obedient.main" } as unknown as Parameters<typeof run>[0];
    await expect(run(app)).rejects.toMatchObject({ code: "app-start-failed" });
    expect(await readdir(home.root)).not.toContain("left.json");
  });
});
