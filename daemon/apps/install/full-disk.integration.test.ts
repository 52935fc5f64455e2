import { existsSync } from "node:fs";
import { readdir, readFile, rm } from "node:fs/promises";
import path from "node:path";
import { expect, test } from "vitest";
import { fillDiskBut, mountSmallDisk } from "../../../common/testing/full-disk.ts";
import { temporaryFolder } from "../../../common/testing/temporary-folder.ts";
import { writeProject } from "../testing/project.ts";
import { createTestInstaller, TEST_UV } from "../testing/test-installer.ts";
import { createTestVenv } from "../testing/test-venv.ts";

/** Bytes of the app: more than any other file of an install, so that some of the budgets end while it is written. */
const APP_BYTES = 400_000;
/** Free kilobytes: from none at all to more than an install takes. Each ends in another step. */
const BUDGETS_KB = [0, 4, 40, 160, 420, 500, 850, 1100, 1500, 2000, 3000, 4000];

test("an install on a disk that gets full at any step changes nothing, or is complete", async ({ skip }) => {
  const disk = await mountSmallDisk({ megabytes: 60, files: 20_000 });
  if (disk === null) return skip("a small disk needs root");
  const home = await createTestVenv(disk);
  await home.addTools();
  const installer = createTestInstaller(home, TEST_UV);
  installer.parts.env = { ...installer.parts.env, UV_CACHE_DIR: path.join(disk, "uv"), UV_LINK_MODE: "copy" };
  const folder = temporaryFolder("project-");
  const write = (version: string) =>
    writeProject(folder, { name: "wave_back", version, main: `VERSION = "${version}"\n#${"x".repeat(APP_BYTES)}` });
  await write("1.0");
  expect(await installer.install(folder)).toMatchObject({ status: "done", error: null });
  const main = path.join(home.sitePackages, "wave_back/main.py");
  const known = (await readdir(home.venv)).sort();
  const steps = new Set<string>();
  let count = 1;
  for (const free of BUDGETS_KB) {
    const before = await readFile(main, "utf8");
    await write(`1.${++count}`);
    const filler = await fillDiskBut(disk, free * 1024);
    const job = await installer.install(folder);
    steps.add(`${job.stage} ${job.status}`);
    await rm(filler, { force: true });
    if (job.status === "failed") {
      expect.soft([free, job.code, job.error]).toEqual([free, "disk-full", expect.stringMatching(/full/)]);
      expect(await readFile(main, "utf8")).toBe(before);
    } else {
      expect(await readFile(main, "utf8")).toContain(`VERSION = "1.${count}"`);
    }
    expect((await readdir(home.venv)).sort()).toEqual(known);
    expect(existsSync(installer.parts.stagingDir)).toBe(false);
    expect((await installer.parts.installed.list()).map(({ info }) => info.extra.origin)).toEqual([
      expect.objectContaining({ from: folder }),
    ]);
  }
  expect([...steps].sort()).toEqual(expect.arrayContaining(["fetch failed", "install failed", "record done"]));
  // With room again, all is as it was.
  await write("2.0");
  expect(await installer.install(folder)).toMatchObject({ status: "done", error: null });
  expect(await installer.remove("wave_back")).toMatchObject({ status: "done" });
  await installer.jobs.close();
});
