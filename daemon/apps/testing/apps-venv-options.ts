import { execFile } from "node:child_process";
import path from "node:path";
import { promisify } from "node:util";
import { systemClock } from "../../../common/time/clock.ts";
import type { AppsVenvOptions } from "../install/environment/apps-venv.ts";
import { TEST_UV, WITHOUT_INDEX } from "./test-installer.ts";
import type { TestVenv } from "./test-venv.ts";

/**
 * Options for an environment that is created with the small SDK, without an index.
 * @param wheels folder of the wheels that an environment is made of, see `useSeeds`
 */
export const appsVenvOptions = ({ root }: TestVenv, wheels: string): AppsVenvOptions => ({
  dataDir: root,
  python: path.resolve(".venv/bin/python"),
  uv: TEST_UV,
  sdkPath: path.join(root, "sdk"),
  env: { ...WITHOUT_INDEX, HOME: root, PIP_FIND_LINKS: wheels, UV_FIND_LINKS: wheels },
  clock: systemClock,
  onProgress: () => {},
  onRenamed: () => {},
});

/** What the small SDK in an environment says; see `writeSmallSdk`. */
export async function answerIn(venv: string): Promise<string> {
  const script = "import robot_sdk; print(robot_sdk.answer)";
  const { stdout } = await promisify(execFile)(path.join(venv, "bin/python"), ["-c", script]);
  return stdout.trim();
}
