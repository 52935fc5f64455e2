import { execFileSync } from "node:child_process";

/**
 * Copies a folder with its links, rights and exact times; the file system shares the data of both where it can. Never with
 * hard links: what writes into a file of the copy would write into the original. Node's own copies round times to
 * milliseconds, so that a source can get the next second, and Python then writes its cache again.
 */
export function copyTree(from: string, to: string): void {
  execFileSync("cp", ["-a", "--reflink=auto", from, to]);
}
