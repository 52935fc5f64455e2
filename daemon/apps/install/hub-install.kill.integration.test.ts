import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { readdir } from "node:fs/promises";
import path from "node:path";
import { promisify } from "node:util";
import { commit, createRepo } from "@huggingface/hub";
import fc from "fast-check";
import { expect, onTestFinished, test } from "vitest";
import { systemClock } from "../../../common/time/clock.ts";
import { localHub } from "../../../fixtures/hub/server/testing/local-hub.ts";
import { TEST_UV } from "../testing/test-installer.ts";
import { createTestVenv } from "../testing/test-venv.ts";
import { recoverVenv } from "./environment/venv-lock.ts";

const REPO = { type: "space", name: "maker/counts" } as const;

/** The files of one version of the app; every module holds the version's number. */
function filesOf(version: number): { path: string; content: Blob }[] {
  const pyproject = `[build-system]
requires = ["setuptools"]
build-backend = "setuptools.build_meta"
[project]
name = "counts"
version = "${version}"
[project.entry-points.robot_apps]
counts = "counts.main:App"
[tool.setuptools]
packages = ["counts"]
`;
  const modules = Array.from({ length: 30 }, (_, index) => `counts/part_${index}.py`);
  return [
    { path: "README.md", content: new Blob(["---\ntags: [robot_python_app]\n---\n"]) },
    { path: "pyproject.toml", content: new Blob([pyproject]) },
    ...["counts/__init__.py", "counts/main.py", ...modules].map((file) => ({
      path: file,
      content: new Blob([`version = ${version}\n`]),
    })),
  ];
}

/** Prints the version in the metadata, and the versions in the modules. */
const PRINT_VERSIONS = `
import importlib, importlib.metadata, pathlib, counts
folder = pathlib.Path(counts.__file__).parent
versions = {importlib.import_module("counts." + file.stem).version for file in folder.glob("*.py") if file.stem != "__init__"}
print(importlib.metadata.version("counts"), len(list(folder.glob("part_*.py"))), *versions)
`;

/** What `robot-daemon install` does. */
const INSTALL = `
import { systemClock } from "./dist/common/time/clock.js";
import { HubClient } from "./dist/daemon/apps/hub/hub-client.js";
import { installWithoutDaemon } from "./dist/daemon/apps/install/install-without-daemon.js";
import { parseSource } from "./dist/daemon/apps/install/fetch/parse-source.js";
const { hub, dataDir, venv, uv } = JSON.parse(process.argv.at(-1));
const source = parseSource(hub + "/spaces/maker/counts", new HubClient({ url: hub, token: null }));
const env = { PATH: process.env.PATH, HOME: dataDir, PIP_NO_INDEX: "1", UV_OFFLINE: "1" };
await installWithoutDaemon(source, { dataDir, venv, uv, env, clock: systemClock, onProgress: () => {} });
`;

test("an install from the hub that is killed at a random moment leaves one complete version of the app", async () => {
  const home = await createTestVenv();
  onTestFinished(() => home.remove());
  await home.addTools();
  const { url: hubUrl } = await localHub(home.root);
  const where = { hub: hubUrl, dataDir: home.root, venv: home.venv, uv: TEST_UV };
  const staging = path.join(home.root, "staging");

  /** Installs what the hub has; kills the installer after some milliseconds, unless it is done by then. */
  const install = async (killAfterMs?: number): Promise<void> => {
    const args = ["--input-type=module", "-e", INSTALL, JSON.stringify(where)];
    const child = spawn(process.execPath, args, { stdio: ["ignore", "ignore", "inherit"] });
    const timer = killAfterMs === undefined ? undefined : setTimeout(() => child.kill("SIGKILL"), killAfterMs);
    await once(child, "close");
    clearTimeout(timer);
  };
  const installed = async (): Promise<number> => {
    const { stdout } = await promisify(execFile)(path.join(home.venv, "bin/python"), ["-B", "-c", PRINT_VERSIONS]);
    const [recorded, parts, ...versions] = stdout.trim().split(" ").map(Number);
    expect({ parts, versions }).toEqual({ parts: 30, versions: [recorded] });
    return recorded ?? 0;
  };

  const accessToken = "hf_local_write";
  await createRepo({ repo: REPO, files: filesOf(1), accessToken, hubUrl, sdk: "static" });
  const start = performance.now();
  await install();
  const installMs = performance.now() - start;
  expect(await installed()).toBe(1);

  let [before, offered] = [1, 1];
  /** From the start of the program to a little after an install is done. */
  const moments = fc.double({ min: 0, max: 1.1, noNaN: true });
  const survivesKill = fc.asyncProperty(moments, async (moment) => {
    offered += 1;
    const operations = filesOf(offered).map((file) => ({ operation: "addOrUpdate" as const, ...file }));
    await commit({ repo: REPO, title: String(offered), operations, accessToken, hubUrl });
    await install(moment * installMs);
    await recoverVenv(home.venv, staging, systemClock);
    const version = await installed();
    expect([before, offered]).toContain(version);
    before = version;
    expect((await readdir(home.venv)).sort()).toEqual([".lock", "bin", "installed-apps.json", "lib", "pyvenv.cfg"]);
    expect(await readdir(home.root)).not.toContain("staging");
  });
  await fc.assert(survivesKill, { numRuns: 10 });
  await install();
  expect(await installed()).toBe(offered);
});
