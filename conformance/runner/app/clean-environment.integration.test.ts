import { existsSync } from "node:fs";
import { mkdir, readdir, writeFile } from "node:fs/promises";
import { dirname, join, relative } from "node:path";
import { expect, test } from "vitest";
import { temporaryFolder } from "../../../common/testing/temporary-folder.ts";
import { systemClock } from "../../../common/time/clock.ts";
import { sitePackagesOf } from "../../../daemon/apps/catalogue/installed-apps.ts";
import { withVenvLock } from "../../../daemon/apps/install/environment/venv-lock.ts";
import type { RunStep } from "../../../daemon/start/prepare.ts";
import { cleanEnvironment, copyCleanEnvironment } from "./clean-environment.ts";

test("the environment that certifications copy is compiled; what was changed is made anew, and copies do not lead to it", async () => {
  const cache = temporaryFolder("robot-clean-environment-");
  const host = { env: process.env, now: () => Date.now(), signal: new AbortController().signal };
  const results: unknown[] = [];
  const step: RunStep = async (_name, work) => {
    const result = await work();
    results.push(result);
    return result;
  };
  // Left by an app of an earlier certification.
  const planted = join(cache, "apps_venv/lib/planted.pth");
  await mkdir(dirname(planted), { recursive: true });
  await writeFile(planted, "import os");
  const venv = await cleanEnvironment(cache, host, step);
  expect(existsSync(planted)).toBe(false);
  const [sitePackages = ""] = await sitePackagesOf(venv);
  for (const module of ["robot_sdk", "numpy"])
    expect(await readdir(join(sitePackages, module, "__pycache__"))).toContainEqual(
      expect.stringMatching(/^__init__\..*pyc$/),
    );
  const copy = join(cache, "copy");
  await copyCleanEnvironment(venv, copy, host.signal);
  const file = join(relative(venv, sitePackages), "numpy/__init__.py");
  await writeFile(join(copy, file), "raise SystemExit(3)", { flag: "r+" });
  expect(await cleanEnvironment(cache, host, step)).toBe(venv);
  expect(results).toEqual(["created", "unchanged"]);
  expect(await readdir(copy)).not.toContain(".files.json");
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

test("the environment is not copied while another program makes it", async () => {
  const cache = temporaryFolder("robot-clean-environment-");
  await mkdir(join(cache, "apps_venv"));
  const cancelled = AbortSignal.abort(new Error("enough"));
  const to = join(cache, "copy");
  await withVenvLock(join(cache, "clean"), systemClock, () =>
    expect(copyCleanEnvironment(join(cache, "apps_venv"), to, cancelled)).rejects.toThrow("enough"),
  );
  expect(existsSync(to)).toBe(false);
  await copyCleanEnvironment(join(cache, "apps_venv"), to, new AbortController().signal);
  expect(existsSync(to)).toBe(true);
});
