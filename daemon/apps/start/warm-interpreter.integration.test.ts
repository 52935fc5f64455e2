import { mkdir } from "node:fs/promises";
import path from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { commandOf, ProcessTable } from "../../../common/machine/process-table.ts";
import { DEADLINE_MS } from "../../../common/testing/deadline.ts";
import { systemClock } from "../../../common/time/clock.ts";
import { waitFor } from "../../../common/time/wait-for.ts";
import type { InstalledApp } from "../catalogue/installed-app.ts";
import { alive } from "../testing/launched-apps.ts";
import { createTestVenv } from "../testing/test-venv.ts";
import { appCommand } from "./app-command.ts";
import { WarmInterpreter } from "./warm-interpreter.ts";

const installed = (name: string): InstalledApp => ({
  info: { name, source_kind: "installed", description: "", url: null, extra: {} },
  module: `${name}.main`,
  file: null,
});

/** The interpreters that wait. */
const waiting = async () =>
  (await ProcessTable.read())
    .childrenOf(process.pid)
    .map(({ pid }) => pid)
    .filter((pid) => commandOf(pid).join(" ").startsWith("robot-daemon: Python for the next"));

/** An environment with the SDK and two apps, and an interpreter that can wait for them. */
async function warmApps() {
  const home = await createTestVenv();
  await home.addSdk();
  for (const app of ["obedient", "exits_by_itself"]) await home.add(app);
  const interpreter = new WarmInterpreter(systemClock);
  onTestFinished(async () => {
    await interpreter.close();
    await home.remove();
  });
  const parts = { venv: home.venv, workDir: path.join(home.root, "work"), env: { PATH: process.env.PATH } };
  const appCommandOf = (app: string) => (runId: string) => appCommand(installed(app), runId, parts);
  return {
    home,
    interpreter,
    prepare: (app: string) => interpreter.prepare(home.venv, appCommandOf(app), false),
    take: (app: string) => interpreter.take(home.venv, appCommandOf(app)),
  };
}

test("it runs the app that it was prepared for, once", async () => {
  const { prepare, take } = await warmApps();
  prepare("exits_by_itself");
  const taken = await take("exits_by_itself");
  expect(taken).not.toBeNull();
  taken?.process.start();
  expect(await taken?.process.exited).toEqual({ code: 0, signal: null });
  expect(await take("exits_by_itself")).toBeNull();
});

test.runIf(process.platform === "linux")("it shows the command of the app only while it runs it", async () => {
  const { home, prepare, take } = await warmApps();
  const command = `${home.venv}/bin/python -u -m obedient.main`;
  const commands = async () =>
    (await ProcessTable.read()).childrenOf(process.pid).map(({ pid }) => commandOf(pid).join(" "));
  prepare("obedient");
  const taken = await take("obedient");
  await waitFor(DEADLINE_MS, "it says that it waits", async () => (await waiting()).length === 1);
  expect(await commands()).not.toContain(command);
  const main = taken?.process;
  main?.start();
  await waitFor(DEADLINE_MS, "it is the app", async () => (await commands()).includes(command));
  expect(await waiting()).toEqual([]);
  process.kill(main?.pid ?? 0, "SIGKILL");
  await main?.exited;
});

test("it is not used for another app", async () => {
  const { prepare, take } = await warmApps();
  prepare("exits_by_itself");
  expect(await take("obedient")).toBeNull();
});

test("it is not used after packages have changed", async () => {
  const { home, prepare, take } = await warmApps();
  prepare("exits_by_itself");
  await take("obedient");
  await mkdir(path.join(home.sitePackages, "another_package"));
  expect(await take("exits_by_itself")).toBeNull();
});

test("a second connection of the same app keeps the one that waits", async () => {
  const { prepare, take } = await warmApps();
  prepare("exits_by_itself");
  await take("obedient");
  await waitFor(DEADLINE_MS, "it says that it waits", async () => (await waiting()).length === 1);
  const before = await waiting();
  prepare("exits_by_itself");
  await take("obedient");
  expect(await waiting()).toEqual(before);
});

test("another one replaces it, and a closed one leaves no process", async () => {
  const { interpreter, prepare, take } = await warmApps();
  prepare("obedient");
  prepare("exits_by_itself");
  const taken = await take("exits_by_itself");
  expect(taken).not.toBeNull();
  taken?.process.start();
  const pid = taken?.process.pid ?? 0;
  await waitFor(DEADLINE_MS, "the app has ended", async () => (await alive(pid)).length === 0);
  prepare("obedient");
  await interpreter.close();
  expect(await take("obedient")).toBeNull();
});
