import { join, resolve } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { sharedTemporaryFolder } from "../../common/testing/temporary-folder.ts";
import { DEFAULT_POSE_TOLERANCE } from "../test-runs/limits.ts";
import { cleanEnvironment } from "./app/clean-environment.ts";
import { EXAMPLE_APP } from "./app/testing/example-app-under-test.ts";
import { Rig } from "./rig.ts";
import { TestBed } from "./test-bed.ts";

const host = { env: process.env, now: () => Date.now(), signal: new AbortController().signal };

const folder = sharedTemporaryFolder("robot-test-bed-");
let rig: Rig;
beforeAll(async () => {
  const venv = await cleanEnvironment(resolve("artifacts/certification"), host, (_name, work) => work());
  const python = join(venv, "bin/python");
  const isolation = { network: false, quota: false, python, bubblewrap: null, reason: "a test" };
  rig = await Rig.open({ app: EXAMPLE_APP, venv, folder, appFolder: join(folder, "app"), isolation, setup: {}, host });
});
afterAll(() => rig?.close());

/** Ends an app run that leaves the robot away from its default pose; returns the log of the test run. */
async function endAwayFromDefault(isHosted: boolean) {
  const options = {
    id: "test",
    title: "A test",
    app: EXAMPLE_APP,
    seed: 1,
    thoroughness: "default" as const,
    startupSeconds: null,
    replay: null,
    othersEnd: () => true,
    host,
  };
  const bed = new TestBed(rig, options);
  const run = bed.log.beginAppRun();
  run.isHosted = isHosted;
  await bed.post("/api/move/goto", 10, { antennas: [1, -1], duration: 0.3 });
  await bed.waitFor(60, "the antennas are up", () => (bed.log.defaultPoseError() ?? 0) > 0.5);
  bed.log.endAppRun(run);
  await bed.waitForEnd(run);
  // On a busy machine the daemon may begin the move after the wait.
  const hasReturned = () => (bed.log.defaultPoseError() ?? 1) < DEFAULT_POSE_TOLERANCE;
  if (!isHosted) await bed.waitFor(60, "the robot is at its default pose", hasReturned);
  bed.close();
  return { run, error: bed.log.defaultPoseError() };
}

test("the robot is returned to its default pose after an app that was run by hand, which is not judged by the pose", async () => {
  const { run, error } = await endAwayFromDefault(false);
  expect(error).toBeLessThan(DEFAULT_POSE_TOLERANCE);
  expect(run.defaultPoseError).toBeNull();
});

test("after an app that the daemon started, the robot is left as the daemon left it", async () => {
  const { run } = await endAwayFromDefault(true);
  expect(run.defaultPoseError).toBeGreaterThan(0.5);
});

test("a rig whose robot stands away from its default pose is not as it was: no other app starts there", async () => {
  const isAway = () => rig.state?.move === null && (rig.state.antennas[0] ?? 0) > 0.5;
  expect(isAway()).toBe(true);
  expect(await rig.reset()).toBe(false);
});
