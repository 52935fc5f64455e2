import { execFileSync } from "node:child_process";

/**
 * Copies a Python environment; the file system shares the data of both where it can. Never with hard links: what writes into a
 * file of the copy would write into the original.
 */
export function copyVenv(from: string, to: string): void {
  execFileSync("cp", ["-a", "--reflink=auto", from, to]);
}
