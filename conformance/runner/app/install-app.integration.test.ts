import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { sitePackagesOf } from "../../../daemon/apps/catalogue/installed-apps.ts";
import { cleanEnvironment } from "./install-app.ts";

test("the environment that certifications copy is compiled", async () => {
  const cache = await mkdtemp(join(tmpdir(), "robot-clean-environment-"));
  onTestFinished(() => rm(cache, { recursive: true, force: true }));
  const host = { env: process.env, now: () => Date.now(), signal: new AbortController().signal };
  const venv = await cleanEnvironment(cache, host, (_name, work) => work());
  const [sitePackages = ""] = await sitePackagesOf(venv);
  for (const module of ["robot_sdk", "numpy"])
    expect(await readdir(join(sitePackages, module, "__pycache__"))).toContainEqual(
      expect.stringMatching(/^__init__\..*pyc$/),
    );
});
