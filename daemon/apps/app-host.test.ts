import { rm } from "node:fs/promises";
import { kill } from "node:process";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { systemClock } from "../clock.ts";
import type { AppEvent } from "./app-events.ts";
import { type AppHost, createAppHost } from "./app-host.ts";
import { type HandmadeVenv, handmadeVenv } from "./testing/handmade-venv.ts";
import { writeProject } from "./testing/project.ts";
import { RecordingRobot } from "./testing/recording-robot.ts";

// Real installers and interpreters on a busy machine.
vi.setConfig({ testTimeout: 120_000, hookTimeout: 60_000 });

let home: HandmadeVenv;
let robot: RecordingRobot;
let host: AppHost;
let events: AppEvent[];

beforeEach(async () => {
  home = await handmadeVenv();
  robot = new RecordingRobot();
  host = await openHost();
});
afterEach(async () => {
  await host.shutdown();
  await home.remove();
});

async function openHost(): Promise<AppHost> {
  const opened = await createAppHost({
    dataDir: home.root,
    venv: home.venv,
    uv: null,
    robot: robot.asRobot(),
    clock: systemClock,
    env: { PATH: process.env.PATH },
    remoteSessionActive: () => false,
    graceMs: 200,
  });
  events = [];
  opened.onEvent((event) => events.push(event));
  return opened;
}

/** Settles with the first event, past or to come, that fits. */
function event(fits: (event: AppEvent) => boolean): Promise<AppEvent> {
  return new Promise((resolve) => {
    const past = events.find(fits);
    if (past !== undefined) return resolve(past);
    const unsubscribe = host.onEvent((next) => {
      if (!fits(next)) return;
      unsubscribe();
      resolve(next);
    });
  });
}
const printed = (text: string) => event((next) => next.kind === "log" && next.line.text === text);
const entered = (state: string) => event((next) => next.kind === "slot" && next.status.state === state);

describe("the slot with real apps", () => {
  test("holds one app at a time", async () => {
    await home.add("obedient");
    await home.add("spins");
    await host.start("obedient");
    await expect(host.start("spins")).rejects.toMatchObject({
      code: "app-already-running",
      message: "An app is already running",
    });
    expect(host.status()).toMatchObject({ info: { name: "obedient" }, state: "starting", error: null });
  });

  test("takes an app by any spelling of its name, and says which may be meant by another", async () => {
    await home.add("exits_by_itself");
    expect(await host.start("Exits-By.Itself")).toMatchObject({ info: { name: "exits_by_itself" } });
    await expect(host.start("exit_by_itself")).rejects.toMatchObject({
      code: "app-not-found",
      message: expect.stringContaining("Did you mean exits_by_itself?"),
    });
  });

  test("is running from the moment in which the app connects, and free when it has stopped", async () => {
    await home.add("obedient");
    await host.start("obedient");
    await printed("running");
    expect(host.attach(1)).toBe(false);
    expect(host.status()?.state).toBe("starting");
    expect(host.attach()).toBe(true);
    expect(host.status()?.state).toBe("running");
    expect(await host.stop()).toMatchObject({ state: "done", error: null });
    expect(robot.calls).toEqual(["guard", "guard nothing", "cancelMove", "returnToDefault"]);
    await expect(host.stop()).rejects.toMatchObject({ code: "no-app-running" });
  });

  test("is free after a crash, with the traceback, and the robot returns", async () => {
    await home.add("crash_in_run");
    await host.start("crash_in_run");
    await entered("error");
    expect(host.status()?.error).toMatch(/^The app exited with code 1\.\nTraceback[\s\S]*made of cheese$/);
    await expect(host.start("crash_in_run")).resolves.toMatchObject({ state: "starting" });
    expect(robot.calls.slice(1, 4)).toEqual(["guard nothing", "cancelMove", "returnToDefault"]);
  });

  test("is free after somebody else killed the app", async () => {
    await home.add("obedient");
    await host.start("obedient");
    const started = await event((next) => next.kind === "log" && next.line.text.startsWith("started"));
    kill(Number(/\d+$/.exec(started.kind === "log" ? started.line.text : "")?.[0]), "SIGKILL");
    await entered("error");
    expect(host.status()?.error).toBe("The app was ended by SIGKILL.");
  });

  test("is free when an app that ignores SIGINT was killed, and says so", async () => {
    await home.add("ignores_sigint");
    await host.start("ignores_sigint");
    await printed("running");
    expect(await host.stop()).toMatchObject({ state: "error", error: expect.stringContaining("must poll stop_event") });
    await expect(host.start("ignores_sigint")).resolves.toBeDefined();
  });

  test("is free when the environment broke between install and start", async () => {
    await home.add("obedient");
    await rm(`${home.venv}/bin/python`);
    await expect(host.start("obedient")).rejects.toMatchObject({ code: "app-start-failed" });
    expect(host.status()).toMatchObject({
      state: "error",
      error: expect.stringContaining("bin/python does not start"),
    });
  });

  test("starts an app again on restart", async () => {
    await home.add("obedient");
    await host.start("obedient");
    await printed("running");
    expect(await host.restart()).toMatchObject({ info: { name: "obedient" }, state: "starting" });
  });

  test("keeps what apps printed", async () => {
    await home.add("exits_by_itself");
    await host.start("exits_by_itself");
    await entered("done");
    const lines = await host.logs("exits-by-itself");
    expect(lines.map(({ from, text }) => `${from}: ${text}`)).toEqual([
      expect.stringContaining("daemon: started"),
      "stdout: running",
      "daemon: exited with code 0",
    ]);
    await expect(host.logs("../../etc/passwd")).rejects.toMatchObject({ code: "app-not-found" });
  });

  test("ends the app at shutdown and takes no other", async () => {
    await home.add("obedient");
    await host.start("obedient");
    await printed("running");
    await host.shutdown();
    expect(host.status()?.state).toBe("done");
    await expect(host.start("obedient")).rejects.toMatchObject({ code: "shutting-down" });
  });
});

test("remembers the startup app, and starts it when an antenna of the sleeping robot is touched", async () => {
  await home.add("obedient");
  await host.setStartupApp("obedient");
  await host.shutdown();
  host = await openHost();
  expect(host.startupApp()).toBe("obedient");
  robot.touchAntenna();
  await printed("running");
  expect(robot.calls).toContain("wakeUp");
  robot.touchAntenna();
  expect(robot.calls.filter((call) => call === "wakeUp")).toHaveLength(1);
});

describe("an app that is being changed", () => {
  const project = () => writeProject(`${home.root}/wave_back`, { name: "wave_back", main: OBEDIENT });
  const OBEDIENT = "import time\nprint('waving', flush=True)\ntime.sleep(600)\n";
  beforeEach(async () => {
    await home.addTools();
  });

  test("can be started when its installation is over, and is not replaced while it runs", async () => {
    const { job_id } = host.install(await project());
    expect(await host.jobDone(job_id)).toMatchObject({ status: "done", error: null });
    expect((await host.list()).map(({ name }) => name)).toEqual(["wave_back"]);
    await host.start("wave-back");
    await printed("waving");
    const again = await host.jobDone(host.install(await project()).job_id);
    expect(again).toMatchObject({ status: "failed", error: "wave_back is running; stop it first." });
    const removal = await host.remove("wave_back");
    expect(await host.jobDone(removal.job_id)).toMatchObject({ status: "failed" });
    await host.stop();
    expect(await host.jobDone((await host.remove("wave_back")).job_id)).toMatchObject({ status: "done" });
    expect(await host.list()).toEqual([]);
  });

  test("cannot be started meanwhile", async () => {
    await host.jobDone(host.install(await project()).job_id);
    const { job_id } = host.install(await project());
    await event((next) => next.kind === "job" && next.job.job_id === job_id && next.job.stage === "install");
    await expect(host.start("wave_back")).rejects.toMatchObject({ code: "app-busy" });
    expect(await host.cancelJob(job_id)).toMatchObject({ status: "cancelled" });
    await expect(host.start("wave_back")).resolves.toMatchObject({ state: "starting" });
  });
});
