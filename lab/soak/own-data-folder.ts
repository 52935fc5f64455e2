// Data folders for attacks that install: the tests' own environment must stay as it is.
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { copyTree } from "../../common/machine/copy-tree.ts";
import { TEST_DATA } from "../../scripts/setup/test-apps.mjs";

/** Megabytes that an install may use on the small disk, beside the environment. */
const FREE_MB = 60;

/**
 * A new data folder with a copy of the tests' apps environment.
 * @param kind on a disk of its own, which needs root
 * @returns null where that disk cannot be mounted
 */
export function createDataFolder(kind: "own" | "small-disk"): { dataDir: string; remove: () => void } | null {
  const dataDir = mkdtempSync(join(tmpdir(), "robot-attack-"));
  const venv = join(TEST_DATA, "apps_venv");
  if (kind === "own") {
    copyTree(venv, join(dataDir, "apps_venv"));
    return { dataDir, remove: () => rmSync(dataDir, { recursive: true, force: true }) };
  }
  const used = Number(execFileSync("du", ["-sm", venv], { encoding: "utf8" }).split("\t")[0]);
  try {
    execFileSync("mount", ["-t", "tmpfs", "-o", `size=${used + FREE_MB}m`, "tmpfs", dataDir], { stdio: "ignore" });
  } catch {
    rmSync(dataDir, { recursive: true });
    return null;
  }
  copyTree(venv, join(dataDir, "apps_venv"));
  const remove = () => {
    execFileSync("umount", ["--lazy", dataDir]);
    rmSync(dataDir, { recursive: true, force: true });
  };
  return { dataDir, remove };
}
