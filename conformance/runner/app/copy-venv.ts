import { execFileSync } from "node:child_process";

/**
 * Copies a Python environment with hard links where the file system has them. That is safe because installers replace
 * files and do not write into them.
 */
export function copyVenv(from: string, to: string): void {
  try {
    execFileSync("cp", ["-al", from, to], { stdio: "ignore" });
  } catch {
    execFileSync("rm", ["-rf", to]);
    execFileSync("cp", ["-a", from, to]);
  }
}
