import { join } from "node:path";
import { readIfPresent } from "../../common/machine/read-if-present.ts";
import { lowestPython, NEWEST_PYTHON, type PythonVersion } from "../../common/python/project/python-version.ts";
import { parseProjectFile } from "./project-file.ts";

/** The version of Python whose syntax an app may use: the lowest that its requires-python admits; the newest without a project. */
export function pythonOfProject(text: string | null | undefined): PythonVersion {
  const parsed = text == null ? undefined : parseProjectFile(text);
  return parsed === undefined || "error" in parsed ? NEWEST_PYTHON : lowestPython(parsed.value.requiresPython);
}

/** `pythonOfProject` of the app in a folder. @throws Error of the system when its project file cannot be read */
export const pythonOfApp = async (folder: string): Promise<PythonVersion> =>
  pythonOfProject(await readIfPresent(join(folder, "pyproject.toml")));
