import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { type Machine, thisMachine } from "../../../common/machine/machine.ts";
import { identityOf } from "../../../common/machine/process-table.ts";
import { systemClock } from "../../../common/time/clock.ts";
import { RUN_ID_VARIABLE } from "../start/app-command.ts";
import { alive, useLaunchedApps } from "../testing/launched-apps.ts";
import { OrphanedApp, writeRunningApp } from "./orphaned-app.ts";

const apps = useLaunchedApps(["obedient", "exits_by_itself"]);
const runningAppFile = () => path.join(apps.home.root, "left.json");
const ENDED = "obedient was still running from an earlier daemon; it was ended.";

const withIdentities = (identify: Machine["identityOf"]): Machine => ({ ...thisMachine, identityOf: identify });

/** What the next daemon reports about it. */
async function endOrphan(identify = identityOf): Promise<string[]> {
  const found: string[] = [];
  const parts = { file: runningAppFile(), clock: systemClock, onFound: (message: string) => found.push(message) };
  await new OrphanedApp({ ...parts, machine: withIdentities(identify) }).end();
  return found;
}

test("the app that it left running is ended", async () => {
  const app = await apps.launch("obedient");
  await app.line("running");
  await writeRunningApp(runningAppFile(), "obedient", app.pid, "the run id of no process");
  expect(await endOrphan()).toEqual([ENDED]);
  await app.exited;
  expect(await endOrphan()).toEqual([]);
});

test("another process that has the app's pid by now is not touched", async () => {
  const app = await apps.launch("obedient");
  await app.line("running");
  await writeRunningApp(runningAppFile(), "obedient", app.pid, "the run id of no process");
  const text = await readFile(runningAppFile(), "utf8");
  await writeFile(runningAppFile(), text.replace(/"started": ?"[^"]*"/, '"started":"earlier"'));
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
    const app = await apps.launch("obedient");
    await app.line("running");
    await writeRunningApp(runningAppFile(), "obedient", app.pid, "the run id of no process");
    const found: string[] = [];
    let canRead = false;
    const orphan = new OrphanedApp({
      file: runningAppFile(),
      clock: systemClock,
      onFound: (message) => found.push(message),
      machine: withIdentities((pid) => (canRead ? identityOf(pid) : unreadable())),
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
    const app = await apps.launch("exits_by_itself");
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
    await writeRunningApp(runningAppFile(), "obedient", app.pid as number, "its run id", withIdentities(unreadable));
    expect(await endOrphan()).toEqual([ENDED]);
    await exited;
  });
});
