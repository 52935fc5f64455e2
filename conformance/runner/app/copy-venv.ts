import { execFileSync } from "node:child_process";
import { realpathSync } from "node:fs";

/**
 * Copies a Python environment with hard links where the file system has them. That is safe because installers replace
 * files and do not write into them. A link to an environment is followed.
 */
export function copyVenv(venv: string, to: string): void {
  const from = realpathSync(venv);
  try {
    execFileSync("cp", ["-al", from, to], { stdio: "ignore" });
  } catch {
    execFileSync("rm", ["-rf", to]);
    execFileSync("cp", ["-a", from, to]);
  }
}
