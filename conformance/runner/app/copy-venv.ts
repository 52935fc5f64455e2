import { execFileSync } from "node:child_process";

/**
 * Copies a Python environment.
 * @param options `links`: with hard links where the file system has them. That is safe where only installers write, because
 *   they replace files and do not write into them
 */
export function copyVenv(from: string, to: string, { links = true } = {}): void {
  if (links)
    try {
      execFileSync("cp", ["-al", from, to], { stdio: "ignore" });
      return;
    } catch {
      execFileSync("rm", ["-rf", to]);
    }
  execFileSync("cp", ["-a", from, to]);
}
