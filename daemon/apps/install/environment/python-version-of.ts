import path from "node:path";
import { readIfPresent } from "../../../../common/machine/read-if-present.ts";
import { PYTHON_VERSIONS, type PythonVersion } from "../../../../common/python/project/python-version.ts";

/** The version of Python of an environment, as its pyvenv.cfg has it; undefined for one that is none that apps run on. */
export async function pythonVersionOf(venv: string): Promise<PythonVersion | undefined> {
  const text = (await readIfPresent(path.join(venv, "pyvenv.cfg"))) ?? "";
  const version = /^version(?:_info)?\s*=\s*(\d+\.\d+)/m.exec(text)?.[1];
  return PYTHON_VERSIONS.find((each) => each === version);
}
