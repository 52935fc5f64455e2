import { join } from "node:path";
import { execa } from "execa";
import { cancelSignalOption } from "../../../common/machine/load-execa.ts";
import { pythonScript } from "../../../common/machine/python-script.ts";
import { pythonEnvironment } from "../../../daemon/apps/start/python-environment.ts";
import type { Host } from "../host.ts";

const SCRIPT = pythonScript("required_version.py", import.meta.url);
/** Milliseconds for Python to start on a slow machine. */
const TIMEOUT_MS = 20_000;

/**
 * Whether an environment has the version of the SDK that an app requires: `absent` also for another version, because an install
 * that replaces it leaves packages of the old one behind; `unneeded` when no requirement that applies here names the SDK, one
 * names it by an address (`name @ https://...`), or the environment has no pip to read them.
 * @param dependencies requirements of the project, as in pyproject.toml
 * @throws the signal's reason
 */
export async function requiredSdkIn(
  venv: string,
  dependencies: readonly string[],
  distribution: string,
  { env, signal }: Host,
): Promise<"present" | "absent" | "unneeded"> {
  const { stdout } = await execa(join(venv, "bin/python"), ["-I", "-c", SCRIPT, distribution, ...dependencies], {
    env: pythonEnvironment(env),
    extendEnv: false,
    stdin: "ignore",
    timeout: TIMEOUT_MS,
    reject: false,
    ...cancelSignalOption(signal),
  });
  signal.throwIfAborted();
  return stdout === "present" || stdout === "absent" ? stdout : "unneeded";
}
