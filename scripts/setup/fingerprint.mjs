// Skips work whose inputs have not changed: compares a digest of files with a stamp file.
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";

const SKIPPED = /^(node_modules|dist|build|__pycache__|\.venv|tests|.*\.egg-info|.*\.test\.ts)$/;

/** @param {string} path @returns {Generator<string>} */
function* filesBelow(path) {
  if (!existsSync(path)) return;
  if (statSync(path).isFile()) {
    yield path;
    return;
  }
  for (const entry of readdirSync(path).sort()) if (!SKIPPED.test(entry)) yield* filesBelow(join(path, entry));
}

/**
 * Digest of the names and contents of all files at or below these paths, without tests and build output.
 * @param {string[]} paths
 */
export function fingerprint(paths) {
  const hash = createHash("sha256");
  for (const path of paths)
    for (const file of filesBelow(path)) hash.update(file).update("\0").update(readFileSync(file)).update("\0");
  return hash.digest("hex");
}

/**
 * Runs `work` unless the stamp file contains this digest. The stamp is written last, so an interrupted run is repeated.
 * @param {string} stamp
 * @param {string} digest
 * @param {() => Promise<unknown>} work
 */
export async function unlessFresh(stamp, digest, work) {
  if (existsSync(stamp) && readFileSync(stamp, "utf8") === digest) return "unchanged";
  await work();
  mkdirSync(dirname(stamp), { recursive: true });
  writeFileSync(stamp, digest);
  return "done";
}
