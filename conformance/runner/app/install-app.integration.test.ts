import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { temporaryFolder } from "../../../common/testing/temporary-folder.ts";
import { systemClock } from "../../../common/time/clock.ts";
import { sitePackagesOf } from "../../../daemon/apps/catalogue/installed-apps.ts";
import { withVenvLock } from "../../../daemon/apps/install/environment/venv-lock.ts";
import type { RunStep } from "../../../daemon/start/prepare.ts";
import { cleanEnvironment } from "./install-app.ts";

test("the environment that certifications copy is compiled", async () => {
  const cache = temporaryFolder("robot-clean-environment-");
  const host = { env: process.env, now: () => Date.now(), signal: new AbortController().signal };
  const venv = await cleanEnvironment(cache, host, (_name, work) => work());
  const [sitePackages = ""] = await sitePackagesOf(venv);
  for (const module of ["robot_sdk", "numpy"])
    expect(await readdir(join(sitePackages, module, "__pycache__"))).toContainEqual(
      expect.stringMatching(/^__init__\..*pyc$/),
    );
});

test("another program that changes the environment is waited for, until the wait is cancelled", async () => {
  const cache = temporaryFolder("robot-clean-environment-");
  const cancel = new AbortController();
  const host = { env: process.env, now: () => Date.now(), signal: cancel.signal };
  let attempts = 0;
  const step: RunStep = async (_name, work) => {
    attempts += 1;
    if (attempts === 2) cancel.abort(new Error("enough"));
    return work();
  };
  await withVenvLock(join(cache, "apps_venv"), systemClock, () =>
    expect(cleanEnvironment(cache, host, step)).rejects.toThrow("enough"),
  );
  expect(attempts).toBe(2);
});
