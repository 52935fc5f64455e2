import { cp, mkdir, readdir, writeFile } from "node:fs/promises";
import path from "node:path";
import { expect, test } from "vitest";
import { fillDisk, mountSmallDisk } from "../../common/testing/full-disk.ts";
import { systemClock } from "../../common/time/clock.ts";
import type { AppEvent } from "../../robot/wire/apps/app-events.ts";
import { createAppHost } from "../apps/app-host.ts";
import { RecordingRobot } from "../apps/testing/recording-robot.ts";
import { createTestVenv } from "../apps/testing/test-venv.ts";
import { openDataFolder } from "../data-folder/data-folder.ts";
import { prepareEnvironmentOrKeep } from "./prepare.ts";

test("a daemon starts on a full disk, says so, and hosts the apps that are installed", async ({ skip }) => {
  const disk = await mountSmallDisk();
  if (disk === null) return skip();
  const home = await createTestVenv(disk);
  await home.add("obedient");
  await writeFile(path.join(home.venv, "robot-sdk.json"), JSON.stringify({ sdk: "an earlier one" }));
  const sdkFolder = path.join(disk, "sdk");
  await mkdir(sdkFolder);
  // A killed program left a change unfinished.
  await cp(path.join(home.venv, "bin"), path.join(home.venv, ".before/bin"), {
    recursive: true,
    verbatimSymlinks: true,
  });
  await fillDisk(disk);

  const signal = new AbortController().signal;
  const use = { doing: "daemon", url: null, venv: home.venv } as const;
  const folder = await openDataFolder(home.root, use, { signal, onWait: () => {} });
  await folder.publish({ ...use, url: "http://127.0.0.1:1" });
  const { venv, problem } = await prepareEnvironmentOrKeep({
    dataDir: home.root,
    venv: home.venv,
    sdkFolder,
    env: { PATH: process.env.PATH },
    step: (_, work) => work(),
  });
  expect(venv).toBe(home.venv);
  expect(problem).toMatch(/^The apps' Python environment could not be updated: The disk is full.* as it was\.$/);
  const host = await createAppHost({
    dataDir: home.root,
    venv,
    uv: null,
    robot: new RecordingRobot().asRobot(),
    clock: systemClock,
    env: { PATH: process.env.PATH },
    problems: problem === null ? [] : [problem],
  });
  const events: AppEvent[] = [];
  host.events.on((event) => events.push(event));
  expect(events).toContainEqual({ kind: "notice", level: "warning", message: problem });
  expect((await host.installed.list()).map(({ info }) => info.name)).toEqual(["obedient"]);
  const printed = new Promise<void>((resolve) => {
    host.events.on((event) => event.kind === "log" && event.line.text === "running" && resolve());
  });
  await host.slot.start("obedient");
  await printed;
  expect(await host.slot.stop()).toMatchObject({ state: "done", error: null });
  await host.close();
  await folder.close();
  expect(await readdir(home.venv)).not.toContain(".before");
});
