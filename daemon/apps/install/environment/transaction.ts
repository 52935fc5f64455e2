import { type Dirent, existsSync } from "node:fs";
import { copyFile, link, readdir, readFile, readlink, rename, rm, stat, symlink, writeFile } from "node:fs/promises";
import path from "node:path";
import { flushEntry, flushTree } from "../../../files/flush.ts";
import { ensureFolder } from "../../../files/make-folder.ts";
import { sitePackagesOf } from "../../catalogue/installed-apps.ts";
import { ORIGINS_FILE } from "../../catalogue/origin-records.ts";

/*
 * While an environment is changed, a copy of it as hard links stands in its folder `.before`: quick to make, without a
 * second copy of the data, and safe because installers replace files and do not write into them. The folder exists
 * exactly as long as a change is unfinished, so a program that finds it rolls the change back.
 */
const BEFORE = ".before";
const MAKING = ".before.making";
const DISCARDED = ".discarded";
/** Stands in `.before` with the names of the parts that did not exist before the change, one in each line. */
const MISSING = ".missing";
/** What installs change besides packages and commands: the apps' origins, and the SDK's wheel with pip's settings. */
const OTHER_PARTS = [ORIGINS_FILE, "robot-sdk", "pip.conf"];

/**
 * Changes an environment completely or not at all, also when the power fails in between: the old files are on the disk
 * before the change begins, and the new ones before it is committed.
 *
 * @param flush flushes all files of a folder to the disk
 */
export async function changeVenv<T>(venv: string, change: () => Promise<T>, flush = flushTree): Promise<T> {
  await rollBack(venv);
  try {
    await makeBackup(venv);
    await flush(venv);
    const result = await change();
    await flush(venv);
    await rename(path.join(venv, BEFORE), path.join(venv, DISCARDED));
    await flushEntry(venv);
    return result;
  } finally {
    await rollBack(venv);
  }
}

/**
 * Rolls back a change that was not committed; does nothing otherwise. Can be interrupted and repeated. Needs no room on
 * the disk: it removes files and moves others into their places.
 */
export async function rollBack(venv: string): Promise<void> {
  await rm(path.join(venv, DISCARDED), { recursive: true, force: true });
  await rm(path.join(venv, MAKING), { recursive: true, force: true });
  const before = path.join(venv, BEFORE);
  if (!existsSync(before)) return;
  for (const part of await partsOf(before)) {
    await rm(path.join(venv, part), { recursive: true, force: true });
    await rename(path.join(before, part), path.join(venv, part));
  }
  const missing = await readFile(path.join(before, MISSING), "utf8").catch(() => "");
  for (const part of missing.split("\n").filter((name) => OTHER_PARTS.includes(name)))
    await rm(path.join(venv, part), { recursive: true, force: true });
  await rm(before, { recursive: true });
}

/** True while a change is unfinished; `rollBack` undoes it. */
export function hasUnfinishedChange(venv: string): boolean {
  return existsSync(path.join(venv, BEFORE));
}

async function makeBackup(venv: string): Promise<void> {
  const making = path.join(venv, MAKING);
  ensureFolder(making);
  for (const part of await partsOf(venv)) {
    const isFolder = (await stat(path.join(venv, part))).isDirectory();
    await (isFolder ? linkTree : linkFile)(path.join(venv, part), path.join(making, part));
  }
  const missing = OTHER_PARTS.filter((part) => !existsSync(path.join(venv, part)));
  if (missing.length > 0) await writeFile(path.join(making, MISSING), missing.join("\n"));
  await rename(making, path.join(venv, BEFORE));
}

/** What installs change, relative to the environment. Only what exists. */
async function partsOf(venv: string): Promise<string[]> {
  const packages = (await sitePackagesOf(venv)).map((folder) => path.relative(venv, folder));
  return [...packages, "bin", ...OTHER_PARTS].filter((part) => existsSync(path.join(venv, part)));
}

async function linkTree(from: string, to: string): Promise<void> {
  ensureFolder(to);
  const entries = await readdir(from, { withFileTypes: true });
  const isFolder = (entry: Dirent) => entry.isDirectory();
  const linkOne = (entry: Dirent) => linkEntry(entry, path.join(from, entry.name), path.join(to, entry.name));
  await Promise.all(entries.filter((entry) => !isFolder(entry)).map(linkOne));
  for (const { name } of entries.filter(isFolder)) await linkTree(path.join(from, name), path.join(to, name));
}

async function linkEntry(entry: Dirent, source: string, target: string): Promise<void> {
  if (entry.isSymbolicLink()) await symlink(await readlink(source), target);
  else await linkFile(source, target);
}

/** Copies the file where the file system has no hard links. */
async function linkFile(source: string, target: string): Promise<void> {
  await link(source, target).catch(() => copyFile(source, target));
}
