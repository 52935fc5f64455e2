import { join } from "node:path";
import { pythonScript } from "../../../common/machine/python-script.ts";
import { askPython } from "../../../daemon/apps/start/run-python.ts";
import type { Host } from "../host.ts";

const SCRIPT = pythonScript("required_version.py", import.meta.url);

/**
 * Whether an environment has the version of the SDK that an app requires: `absent` also for another version, because an install
 * that replaces it leaves packages of the old one behind; `unneeded` when no requirement that applies here names the SDK, one
 * names it by an address (`name @ https://...`), or the environment has no pip to read them.
 * @param dependencies requirements of the project, as in pyproject.toml
 * @throws WorkbenchError `python-missing` when its Python does not answer; the signal's reason
 */
export async function requiredSdkIn(
  venv: string,
  dependencies: readonly string[],
  distribution: string,
  { env, signal }: Host,
): Promise<"present" | "absent" | "unneeded"> {
  const args = ["-I", "-c", SCRIPT, distribution, ...dependencies];
  const { stdout } = await askPython(join(venv, "bin/python"), args, { env, signal });
  return stdout === "present" || stdout === "absent" ? stdout : "unneeded";
}
