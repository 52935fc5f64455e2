import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { sitePackagesOf } from "../../../daemon/apps/catalogue/installed-apps.ts";
import { cleanEnvironment } from "./install-app.ts";

test("the environment that certifications copy is compiled", async () => {
  const cache = await mkdtemp(join(tmpdir(), "robot-clean-environment-"));
  onTestFinished(() => rm(cache, { recursive: true, force: true }));
  // pip compiles unasked; uv of the tests' environment does not.
  const env = { ...process.env, PATH: `${resolve(".venv/bin")}:${process.env.PATH}` };
  const host = { env, now: () => Date.now(), signal: new AbortController().signal };
  const venv = await cleanEnvironment(cache, host, (_name, work) => work());
  const [sitePackages = ""] = await sitePackagesOf(venv);
  for (const module of ["robot_sdk", "numpy"])
    expect(await readdir(join(sitePackages, module, "__pycache__"))).toContainEqual(
      expect.stringMatching(/^__init__\..*pyc$/),
    );
});
