import { existsSync } from "node:fs";
import path from "node:path";

/** Folder of an environment with the wheel of its SDK, see `provideSdkWheel`. */
export const sdkFolderIn = (venv: string): string => path.join(venv, "robot-sdk");

/** The file that lets installers take the SDK from nowhere but that wheel. */
export const constraintsIn = (venv: string): string => path.join(sdkFolderIn(venv), "constraints.txt");

/** Arguments with which an installer takes robot-sdk from the environment's own wheel; none without one. */
export function sdkConstraint(venv: string): string[] {
  const file = constraintsIn(venv);
  return existsSync(file) ? ["--constraint", file] : [];
}
