import { rm } from "node:fs/promises";
import { kill } from "node:process";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { type Clock, systemClock } from "../../common/time/clock.ts";
import type { AppEvent, LogLine } from "../../robot/wire/apps/app-events.ts";
import { type AppHost, createAppHost } from "./app-host.ts";
import { addDistribution } from "./testing/distribution.ts";
import { writeProject } from "./testing/project.ts";
import { RecordingRobot } from "./testing/recording-robot.ts";
import { TEST_UV } from "./testing/test-installer.ts";
import { createTestVenv, type TestVenv } from "./testing/test-venv.ts";

let home: TestVenv;
let robot: RecordingRobot;
let host: AppHost;
let events: AppEvent[];

beforeEach(async () => {
  home = await createTestVenv();
  robot = new RecordingRobot();
  host = await openHost();
});
afterEach(async () => {
  await host.close();
  await home.remove();
});

/** An app without the SDK stays in `starting` for three seconds, here for ever: a busy machine may need longer for the rest. */
const NEVER_RUNNING: Clock = {
  ...systemClock,
  after: (ms, then) => (ms === 3000 ? () => {} : systemClock.after(ms, then)),
};

/** @param graceMs by default so long that each app of these tests ends in time, also on a busy machine */
async function openHost(clock: Clock = systemClock, graceMs = 60_000): Promise<AppHost> {
  const opened = await createAppHost({
    dataDir: home.root,
    venv: home.venv,
    uv: TEST_UV,
    robot: robot.asRobot(),
    clock,
    env: { PATH: process.env.PATH },
    graceMs,
  });
  events = [];
  opened.events.on((event) => events.push(event));
  opened.startupApp.begin(() => false);
  return opened;
}

/** Settles with the first event, past or future, that fits. */
function event(fits: (event: AppEvent) => boolean): Promise<AppEvent> {
  return new Promise((resolve) => {
    const past = events.find(fits);
    if (past !== undefined) return resolve(past);
    const unsubscribe = host.events.on((next) => {
      if (!fits(next)) return;
      unsubscribe();
      resolve(next);
    });
  });
}
const printed = (text: string) => event((next) => next.kind === "log" && next.line.text === text);
const entered = (state: string) => event((next) => next.kind === "slot" && next.status.state === state);
const processEvent = (what: string) => event((next) => next.kind === "process" && next.event.what === what);

describe("the slot with real apps", () => {
  test("holds one app at a time", async () => {
    await home.add("obedient");
    await home.add("spins");
    await host.close();
    host = await openHost(NEVER_RUNNING);
    await host.slot.start("obedient");
    await expect(host.slot.start("spins")).rejects.toMatchObject({
      code: "app-already-running",
      message: "An app is already running",
    });
    expect(host.slot.status()).toMatchObject({ info: { name: "obedient" }, state: "starting", error: null });
  });

  test("accepts any spelling of an app's name, and suggests similar names for an unknown one", async () => {
    await home.add("exits_by_itself");
    expect(await host.slot.start("Exits-By.Itself")).toMatchObject({ info: { name: "exits_by_itself" } });
    await expect(host.slot.start("exit_by_itself")).rejects.toMatchObject({
      code: "app-not-found",
      message: expect.stringContaining("Did you mean exits_by_itself?"),
    });
  });

  test("is running as soon as the app connects, and free when it has stopped", async () => {
    await home.add("obedient");
    await host.close();
    host = await openHost(NEVER_RUNNING);
    await host.slot.start("obedient");
    await printed("running");
    expect(host.slot.attach(1)).toBe(false);
    expect(host.slot.status()?.state).toBe("starting");
    const { pid } = ((await processEvent("started")) as Extract<AppEvent, { kind: "process" }>).event;
    expect(host.slot.attach(pid)).toBe(true);
    expect(host.slot.status()?.state).toBe("running");
    expect(await host.slot.stop()).toMatchObject({ state: "done", error: null });
    expect(robot.calls).toEqual(["beginAppSession", "endAppSession"]);
    await expect(host.slot.stop()).rejects.toMatchObject({ code: "no-app-running" });
  });

  test("is free after a crash; the status has the traceback, and the robot returns to default", async () => {
    await home.add("crash_in_run");
    await host.slot.start("crash_in_run");
    await entered("error");
    expect(host.slot.status()?.error).toMatch(/^The app exited with code 1\.\nTraceback[\s\S]*made of cheese$/);
    await expect(host.slot.start("crash_in_run")).resolves.toMatchObject({ state: "starting" });
    expect(robot.calls[1]).toBe("endAppSession");
  });

  test("is free after the app was killed from outside", async () => {
    await home.add("obedient");
    await host.slot.start("obedient");
    const started = await event((next) => next.kind === "log" && next.line.text.startsWith("started"));
    kill(Number(/\d+$/.exec(started.kind === "log" ? started.line.text : "")?.[0]), "SIGKILL");
    await entered("error");
    expect(host.slot.status()?.error).toBe("The app was ended by SIGKILL.");
  });

  test("is free after an app that ignores SIGINT was ended, and the status says so", async () => {
    await home.add("ignores_sigint");
    await host.close();
    host = await openHost(systemClock, 200);
    await host.slot.start("ignores_sigint");
    await printed("running");
    expect(await host.slot.stop()).toMatchObject({
      state: "error",
      error: expect.stringContaining("was ended by SIGTERM, after it had ignored SIGINT for the grace period"),
    });
    await expect(host.slot.start("ignores_sigint")).resolves.toBeDefined();
  });

  test("is free when Python is missing from the environment", async () => {
    await home.add("obedient");
    await rm(`${home.venv}/bin/python`);
    await expect(host.slot.start("obedient")).rejects.toMatchObject({ code: "app-start-failed" });
    expect(host.slot.status()).toMatchObject({
      state: "error",
      error: expect.stringContaining("bin/python does not start"),
    });
  });

  test("stops and starts the app on restart", async () => {
    await home.add("obedient");
    await host.slot.start("obedient");
    await printed("running");
    expect(await host.slot.restart()).toMatchObject({ info: { name: "obedient" }, state: "starting" });
  });

  test("logs what apps printed", async () => {
    await home.add("exits_by_itself");
    await host.slot.start("exits_by_itself");
    await entered("done");
    const lines: LogLine[] = [];
    for await (const piece of host.logs.readPieces("exits-by-itself")) lines.push(...piece);
    expect(lines.map(({ from, text }) => `${from}: ${text}`)).toEqual([
      expect.stringContaining("daemon: started"),
      "stdout: running",
      "daemon: exited with code 0",
    ]);
    await expect(host.logs.readPieces("../../etc/passwd").next()).rejects.toMatchObject({ code: "app-not-found" });
  });

  test("stops the app at shutdown and refuses further starts", async () => {
    await home.add("obedient");
    await host.slot.start("obedient");
    await printed("running");
    await host.close();
    expect(host.slot.status()?.state).toBe("done");
    await expect(host.slot.start("obedient")).rejects.toMatchObject({ code: "shutting-down" });
  });
});

test("remembers the startup app, and starts it at an antenna touch of the sleeping robot", async () => {
  await home.add("obedient");
  await host.startupApp.choose("obedient");
  await host.close();
  host = await openHost();
  expect(host.startupApp.name).toBe("obedient");
  robot.report("antenna_touched");
  await printed("running");
  expect(robot.calls).toContain("wakeUp");
  robot.report("antenna_touched");
  expect(robot.calls.filter((call) => call === "wakeUp")).toHaveLength(1);
});

describe("an app that is being installed or removed", () => {
  const project = () => writeProject(`${home.root}/wave_back`, { name: "wave_back", main: OBEDIENT });
  const OBEDIENT = "import time\nprint('waving', flush=True)\ntime.sleep(600)\n";
  beforeEach(async () => {
    await home.addTools();
  });

  test("can be started when its installation is over, and is neither replaced nor removed while it runs", async () => {
    const { job_id } = host.installer.install(await project());
    expect(await host.jobs.done(job_id)).toMatchObject({ status: "done", error: null });
    expect((await host.installed.list()).map(({ info }) => info.name)).toEqual(["wave_back"]);
    await host.slot.start("wave-back");
    await printed("waving");
    const second = await host.jobs.done(host.installer.install(await project()).job_id);
    expect(second).toMatchObject({ status: "failed", error: "wave_back is running; stop it first." });
    const removal = await host.installer.remove("wave_back");
    expect(await host.jobs.done(removal.job_id)).toMatchObject({ status: "failed" });
    await host.slot.stop();
    expect(await host.jobs.done((await host.installer.remove("wave_back")).job_id)).toMatchObject({ status: "done" });
    expect(await host.installed.list()).toEqual([]);
  });

  test("cannot be started meanwhile", async () => {
    await host.jobs.done(host.installer.install(await project()).job_id);
    const { job_id } = host.installer.install(await project());
    await event((next) => next.kind === "job" && next.job.job_id === job_id && next.job.stage === "install");
    await expect(host.slot.start("wave_back")).rejects.toMatchObject({ code: "app-busy" });
    expect(await host.jobs.cancel(job_id)).toMatchObject({ status: "cancelled" });
    await expect(host.slot.start("wave_back")).resolves.toMatchObject({ state: "starting" });
  });

  test("is changed when an app that still imports has started; the job's log says so", async () => {
    await home.add("slow_import");
    const files = { "wave_back/main.py": OBEDIENT };
    await addDistribution(home.sitePackages, {
      name: "wave_back",
      files,
      entryPoint: "wave_back = wave_back.main:App",
    });
    await host.close();
    host = await openHost(NEVER_RUNNING);
    await host.slot.start("slow_import");
    await printed("importing");
    const { job_id } = await host.installer.remove("wave_back");
    await event((next) => next.kind === "job" && next.job.new_logs.includes("waits until slow_import has started"));
    expect((await host.installed.list()).map(({ info }) => info.name).sort()).toEqual(["slow_import", "wave_back"]);
    await host.slot.stop();
    expect(await host.jobs.done(job_id)).toMatchObject({ status: "done", error: null });
  });
});
