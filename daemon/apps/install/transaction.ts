import { type Dirent, existsSync } from "node:fs";
import { copyFile, link, mkdir, readdir, readlink, rename, rm, symlink } from "node:fs/promises";
import path from "node:path";
import { sitePackagesOf } from "../catalogue/catalogue.ts";
import { flushEntry, flushTree } from "../flush.ts";

/*
 * The whole environment as it was stands beside it while it is being changed, as hard links: quick, without a second
 * copy, and safe because installers replace files and do not write into them. The folder `.before` exists exactly as
 * long as a change is not finished, so whoever finds it puts everything back.
 */
const BEFORE = ".before";
const MAKING = ".before.making";
const DISCARDED = ".discarded";

/**
 * Changes an environment all the way or not at all, also when the power fails in the middle: what was before is on the
 * disk when the change begins, and what it has become when the change counts.
 *
 * @param flush brings all that a folder holds to the disk
 */
export async function changeVenv<T>(venv: string, change: () => Promise<T>, flush = flushTree): Promise<T> {
  await putBack(venv);
  const making = path.join(venv, MAKING);
  for (const part of await partsOf(venv)) await linkTree(path.join(venv, part), path.join(making, part));
  await rename(making, path.join(venv, BEFORE));
  try {
    await flush(venv);
    const result = await change();
    await flush(venv);
    await rename(path.join(venv, BEFORE), path.join(venv, DISCARDED));
    await flushEntry(venv);
    return result;
  } finally {
    await putBack(venv);
  }
}

/** Undoes a change that did not finish; does nothing otherwise. Safe to interrupt and to repeat. */
export async function putBack(venv: string): Promise<void> {
  const discarded = path.join(venv, DISCARDED);
  await rm(discarded, { recursive: true, force: true });
  await rm(path.join(venv, MAKING), { recursive: true, force: true });
  const before = path.join(venv, BEFORE);
  if (!existsSync(before)) return;
  for (const part of await partsOf(before)) {
    await mkdir(path.dirname(path.join(discarded, part)), { recursive: true });
    if (existsSync(path.join(venv, part))) await rename(path.join(venv, part), path.join(discarded, part));
    await rename(path.join(before, part), path.join(venv, part));
  }
  await rm(before, { recursive: true });
  await rm(discarded, { recursive: true, force: true });
}

/** Whether a change was not finished; `putBack` undoes it. */
export function isUnfinished(venv: string): boolean {
  return existsSync(path.join(venv, BEFORE));
}

/** What installers change, relative to the environment; only what is there. */
async function partsOf(venv: string): Promise<string[]> {
  const parts = [...(await sitePackagesOf(venv)).map((folder) => path.relative(venv, folder)), "bin"];
  return parts.filter((part) => existsSync(path.join(venv, part)));
}

async function linkTree(from: string, to: string): Promise<void> {
  await mkdir(to, { recursive: true });
  const entries = await readdir(from, { withFileTypes: true });
  const isFolder = (entry: Dirent) => entry.isDirectory();
  const linkOne = (entry: Dirent) => linkEntry(entry, path.join(from, entry.name), path.join(to, entry.name));
  await Promise.all(entries.filter((entry) => !isFolder(entry)).map(linkOne));
  for (const { name } of entries.filter(isFolder)) await linkTree(path.join(from, name), path.join(to, name));
}

/** Copies where the file system has no hard links. */
async function linkEntry(entry: Dirent, source: string, target: string): Promise<void> {
  if (entry.isSymbolicLink()) await symlink(await readlink(source), target);
  else await link(source, target).catch(() => copyFile(source, target));
}
