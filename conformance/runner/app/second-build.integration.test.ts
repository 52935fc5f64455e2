import { existsSync } from "node:fs";
import { cp, mkdir, readdir, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { setImmediate } from "node:timers/promises";
import { beforeAll, describe, expect, test } from "vitest";
import { temporaryFolder } from "../../../common/testing/temporary-folder.ts";
import type { IsolationPlan } from "../isolation/isolation-plan.ts";
import { probeIsolation } from "../isolation/probe-isolation.ts";
import { cleanEnvironment } from "./clean-environment.ts";
import { installInCleanEnvironment } from "./install-app.ts";

const host = { env: process.env, now: () => Date.now(), signal: new AbortController().signal };

let clean: string;
let isolation: IsolationPlan;

beforeAll(async () => {
  clean = await cleanEnvironment(resolve("artifacts/certification"), host, (_name, work) => work());
  isolation = await probeIsolation({ venv: clean, allowNetwork: false, host });
});

/** Options of an install of an app that is good, into an empty folder. */
async function installOptions(changes: Partial<IsolationPlan> = {}) {
  const folder = join(temporaryFolder("robot-second-build-"), "steady_app");
  await cp("fixtures/apps/steady_app", folder, { recursive: true });
  const into = join(folder, "../into");
  return { clean, folder, into, isolation: { ...isolation, ...changes }, buildsAgain: true, host };
}

describe("the second build of an app", () => {
  test.each([
    ["a sandbox", { bubblewrap: null }],
    ["a network of its own", { network: false }],
  ])("has ended before the app runs where there is not %s", async (_what, changes) => {
    const { secondBuild } = await installInCleanEnvironment(await installOptions(changes));
    let results: unknown = null;
    void secondBuild.then((each) => {
      results = each;
    });
    await setImmediate();
    expect(results).toEqual({ remains: [], rebuilt: [] });
  });

  test("has ended when the install fails, so that its folder can be deleted", async () => {
    const options = await installOptions();
    await mkdir(options.into, { recursive: true });
    // In the way of the import check, which runs beside it.
    await writeFile(join(options.into, "import"), "");
    await expect(installInCleanEnvironment(options)).rejects.toThrow(/ENOTDIR/);
    expect(await readdir(join(options.into, "without/wheel"))).toContainEqual(expect.stringMatching(/\.whl$/));
  });

  test("is left out where no requirement needs it", async () => {
    const options = { ...(await installOptions()), buildsAgain: false };
    const { facts, secondBuild } = await installInCleanEnvironment(options);
    expect([facts.refusal, await secondBuild]).toEqual([null, { remains: null, rebuilt: null }]);
    expect(existsSync(join(options.into, "without"))).toBe(false);
  });
});
