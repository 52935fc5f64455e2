import { existsSync } from "node:fs";
import { readdir } from "node:fs/promises";
import path from "node:path";
import { expect, onTestFinished } from "vitest";
import type { InstallParts } from "../install/install-parts.ts";
import { writeProject } from "./project.ts";
import { createTestInstaller, TEST_UV } from "./test-installer.ts";
import { createTestVenv } from "./test-venv.ts";

/** uv leaves its lock file in an environment. */
const UV_LOCK = ".lock";

export type InstallTestBed = Awaited<ReturnType<typeof openInstallTestBed>>;

/** An installer for one test, with pip where `uv` is null, and the folder of the app wave_back, which is empty so far. */
export async function openInstallTestBed(uv: string | null, reader?: InstallParts["reader"]) {
  const home = await createTestVenv();
  await home.addTools();
  const folder = path.join(home.root, "wave_back");
  const installer = createTestInstaller(home, uv, reader);
  const { parts, jobs } = installer;
  onTestFinished(async () => {
    await jobs.close();
    await home.remove();
  });
  const install = () => installer.install(folder);
  const version = async () => (await parts.installed.find("wave_back")).info.extra.version;

  /** No job leaves temporary files. */
  const expectNoTemporaryFiles = async (): Promise<void> => {
    expect(existsSync(parts.stagingDir)).toBe(false);
    const files = (await readdir(home.venv)).filter((name) => !["installed-apps.json", UV_LOCK].includes(name));
    expect(files.sort()).toEqual(["bin", "lib", "pyvenv.cfg"]);
    expect(await readdir(home.root)).not.toContain("venv.lock");
  };

  /** Installs version 1.0, by uv, which is faster. */
  const installFirstVersion = async (): Promise<void> => {
    parts.uv = TEST_UV;
    await writeProject(folder, { name: "wave_back" });
    expect(await install()).toMatchObject({ status: "done", error: null });
    parts.uv = uv;
  };

  /** Installs the app, which fails: version 1.0 stays. */
  const expectFailure = async (error: RegExp, code: string): Promise<void> => {
    const job = await install();
    expect(job).toMatchObject({ status: "failed", error: expect.stringMatching(error), code, result: null });
    expect(await version()).toBe("1.0");
    expect((await parts.installed.find("wave_back")).file).not.toBeNull();
    await expectNoTemporaryFiles();
  };

  const { remove } = installer;
  return {
    home,
    folder,
    parts,
    jobs,
    install,
    remove,
    version,
    expectNoTemporaryFiles,
    installFirstVersion,
    expectFailure,
  };
}
