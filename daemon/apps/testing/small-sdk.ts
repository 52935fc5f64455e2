import { execFile } from "node:child_process";
import { mkdir, writeFile } from "node:fs/promises";
import path from "node:path";
import { promisify } from "node:util";

const run = promisify(execFile);

/** Packs an installed setuptools back into a wheel. */
const PACK = `
import pathlib, sys, sysconfig, zipfile
site, wheels = pathlib.Path(sysconfig.get_path("purelib")), pathlib.Path(sys.argv[1])
(info,) = site.glob("setuptools-*.dist-info")
with zipfile.ZipFile(wheels / (info.name.removesuffix(".dist-info") + "-py3-none-any.whl"), "w") as wheel:
    for line in (info / "RECORD").read_text().splitlines():
        name = line.split(",")[0]
        if "__pycache__" not in name and (site / name).exists():
            wheel.write(site / name, name)
`;

/** Puts the wheel of the tests' own setuptools into a folder, for environments that are made without an index. */
export async function packSetuptools(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true });
  await run(path.resolve(".venv/bin/python"), ["-c", PACK, folder]);
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
