import { execFile } from "node:child_process";
import { mkdir, writeFile } from "node:fs/promises";
import path from "node:path";
import { promisify } from "node:util";
import { beforeAll } from "vitest";
import { sharedTemporaryFolder } from "../../../common/testing/temporary-folder.ts";
import { packWheel } from "./distribution.ts";

const run = promisify(execFile);

/** Packs installed distributions back into wheels. */
const PACK = `
import pathlib, sys, sysconfig, zipfile
site, wheels = pathlib.Path(sysconfig.get_path("purelib")), pathlib.Path(sys.argv[1])
for project in ("pip", "setuptools"):
    (info,) = site.glob(project + "-*.dist-info")
    with zipfile.ZipFile(wheels / (info.name.removesuffix(".dist-info") + "-py3-none-any.whl"), "w") as wheel:
        for line in (info / "RECORD").read_text().splitlines():
            name = line.split(",")[0]
            if "__pycache__" not in name and not name.startswith("..") and (site / name).exists():
                wheel.write(site / name, name)
`;

/**
 * Puts wheels into a folder, before the tests of a file, for environments that are made without an index: the tests' own pip and
 * setuptools, and an empty `wheel`, with which uv seeds the environments of Python 3.11 and earlier.
 * @returns the folder
 */
export function useSeeds(): string {
  const wheels = sharedTemporaryFolder("wheels-");
  beforeAll(async () => {
    await run(path.resolve(".venv/bin/python"), ["-c", PACK, wheels]);
    await packWheel(wheels, { name: "wheel" });
  });
  return wheels;
}

/** Writes the project of a robot-sdk that needs nothing, with one constant. */
export async function writeSmallSdk(folder: string, answer: number): Promise<void> {
  await mkdir(path.join(folder, "src/robot_sdk"), { recursive: true });
  await writeFile(path.join(folder, "src/robot_sdk/__init__.py"), `answer = ${answer}\n`);
  const pyproject = `[build-system]
requires = ["setuptools>=77"]
build-backend = "setuptools.build_meta"
[project]
name = "robot-sdk"
version = "1.0"
[project.optional-dependencies]
web = []
[tool.setuptools.packages.find]
where = ["src"]
`;
  await writeFile(path.join(folder, "pyproject.toml"), pyproject);
}
