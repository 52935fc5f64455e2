import { readdir } from "node:fs/promises";
import path from "node:path";
import { kill } from "node:process";
import { describe, expect, test } from "vitest";
import { temporaryFolder } from "../../../common/testing/temporary-folder.ts";
import { systemClock } from "../../../common/time/clock.ts";
import { alive, type StartKind, useLaunchedApps } from "../testing/launched-apps.ts";
import { createLauncher } from "./app-launcher.ts";
import { thisAppMachine } from "./spawn-main-process.ts";

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
describe.each<StartKind>(["new process", "waiting interpreter"])("in a %s", (kind) => {
  const apps = useLaunchedApps(APPS, kind);

  describe("a well-behaved app", () => {
    test("exits on SIGINT through its stop event", async () => {
      const app = await apps.launch("obedient");
      await app.line("running");
      app.stop(false);
      expect(await app.exited).toMatchObject({ code: 0, signal: null, forced: false });
      expect(app.lines.map((line) => line.text)).toContain("stopped");
    });

    test("may use the whole grace period to exit", async () => {
      const app = await apps.launch("slow_exit");
      await app.line("running");
      app.stop(false);
      app.stop(false);
      expect(await app.exited).toMatchObject({ code: 0, forced: false });
      expect(app.lines.map((line) => line.text)).toContain("cleaned up");
    });

    test("may exit by itself", async () => {
      const app = await apps.launch("exits_by_itself");
      expect(await app.exited).toMatchObject({ code: 0, signal: null });
    });

    test("runs in its own folder, with the daemon's environment without Python overrides, and without standard input", async () => {
      const app = await apps.launch("shows_surroundings", {
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
      expect(seen.cwd).toBe(path.join(apps.home.root, "work", "shows_surroundings"));
      expect(await readdir(seen.cwd)).toEqual([]);
      expect(seen.argv.slice(1)).toEqual(["-u", "-m", "shows_surroundings.main"]);
      expect(Object.keys(seen.env)).not.toContain("ROBOT_APP_WARM_START");
      // The third one is that of the listing itself.
      expect(seen.descriptors).not.toContain("4");
      expect(seen).toMatchObject({ prefix: apps.home.venv, stdin: "", group_leader: true, sigint_heard: true });
    });
  });

  describe("a faulty app", () => {
    test("crashes at import: the traceback is reported", async () => {
      const end = await (await apps.launch("crash_at_import")).exited;
      expect(end.code).toBe(1);
      expect(end.lastErrors.at(-1)).toBe("RuntimeError: this app cannot be imported");
    });

    test("crashes in run: the traceback is reported", async () => {
      const end = await (await apps.launch("crash_in_run")).exited;
      expect(end).toMatchObject({ code: 1, signal: null });
      expect(end.lastErrors.at(-1)).toBe("ValueError: the antenna is made of cheese");
    });

    test("can be stopped while it imports", async () => {
      const app = await apps.launch("slow_import");
      await app.line("importing");
      app.stop(false);
      expect(await app.exited).toMatchObject({ signal: "SIGINT", forced: false });
    });

    test("runs a busy loop: SIGINT ends it", async () => {
      const app = await apps.launch("spins");
      await app.line("running");
      app.stop(false);
      expect(await app.exited).toMatchObject({ signal: "SIGINT", forced: false });
    });

    test("ignores SIGINT: SIGTERM ends it after the grace period", async () => {
      const app = await apps.launch("ignores_sigint", { graceMs: 50 });
      await app.line("running");
      app.stop(false);
      expect(await app.exited).toMatchObject({ signal: "SIGTERM", forced: true });
    });

    test("ignores SIGTERM too: SIGKILL ends it", async () => {
      const app = await apps.launch("ignores_everything", { graceMs: 50 });
      await app.line("running");
      app.stop(false);
      expect(await app.exited).toMatchObject({ signal: "SIGKILL", forced: true });
    });

    test("leaves children behind, one of which ignores SIGTERM: all are ended", async () => {
      const app = await apps.launch("children_left_behind");
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
      const app = await apps.launch("grandchild_holds_stdout");
      const child = Number((await app.line("children")).split(" ")[1]);
      expect(await app.exited).toMatchObject({ code: 0 });
      expect(await alive(child)).toEqual([]);
    });

    test("leaves a process that cannot be identified as its own: the end does not wait for that process's output", async () => {
      const app = await apps.launch("escapee_holds_stdout");
      const child = Number((await app.line("children")).split(" ")[1]);
      expect(await app.exited).toMatchObject({ code: 0 });
      expect(await alive(child)).toEqual([child]);
      kill(child, "SIGKILL");
    });

    test("prints a megabyte without a newline: the line is cut, and the app runs on", async () => {
      const app = await apps.launch("no_newline");
      await app.line("running");
      const longest = Math.max(...app.lines.map((line) => line.text.length));
      expect(longest).toBe(8192);
      expect(app.lines.map((line) => line.text)).toContain("100 %");
      app.stop(false);
      expect(await app.exited).toMatchObject({ code: 0 });
    });

    test("prints too many lines: the log leaves some out and says so, and the app can be stopped", async () => {
      const app = await apps.launch("output_flood");
      await app.line("line 1999");
      await app.line("lines left out");
      app.stop(false);
      expect(await app.exited).toMatchObject({ code: 0, forced: false });
    });
  });
});

test("a start that fails leaves no file of a running app", async () => {
  const folder = temporaryFolder("robot-launcher-");
  const run = createLauncher({
    venv: path.join(folder, "no-such-environment"),
    workDir: path.join(folder, "work"),
    runningAppFile: path.join(folder, "left.json"),
    env: {},
    clock: systemClock,
    graceMs: 1000,
    logs: { add: () => {}, addNote: () => {} },
    machine: thisAppMachine,
  });
  const app = { info: { name: "obedient", extra: {} }, module: "obedient.main" } as unknown as Parameters<
    typeof run
  >[0];
  await expect(run(app)).rejects.toMatchObject({ code: "app-start-failed" });
  expect(await readdir(folder)).not.toContain("left.json");
});
