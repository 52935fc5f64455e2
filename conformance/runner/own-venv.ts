import { execFileSync } from "node:child_process";

/**
 * A copy of a Python environment that a scenario may change: hard links where the file system has them, since
 * installers replace files and do not write into them.
 */
export function copyVenv(from: string, to: string): void {
  try {
    execFileSync("cp", ["-al", from, to], { stdio: "ignore" });
  } catch {
    execFileSync("rm", ["-rf", to]);
    execFileSync("cp", ["-a", from, to]);
  }
}
