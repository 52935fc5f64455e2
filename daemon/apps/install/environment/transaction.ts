import { type Dirent, existsSync } from "node:fs";
import { copyFile, link, lstat, readdir, readlink, rename, rm, symlink, writeFile } from "node:fs/promises";
import path from "node:path";
import { z } from "zod";
import { flushEntry, flushTree } from "../../../../common/files/flush.ts";
import { ensureFolder } from "../../../../common/files/make-folder.ts";
import { shellQuote } from "../../../../common/machine/own-command.ts";
import { WorkbenchError } from "../../../../robot/wire/errors.ts";
import { readJson } from "../../../files/json-file.ts";

/*
 * While an environment is changed, a copy of it as hard links stands in its folder `.before`: quick to make, without a
 * second copy of the data, and safe because installers replace files and do not write into them. The folder exists
 * exactly as long as a change is unfinished, so a program that finds it rolls the change back.
 */
const BEFORE = ".before";
const MAKING = ".before.making";
const DISCARDED = ".discarded";
/** Stands in `.before` with the names of the entries that the environment had, as JSON: a rollback removes all others. */
const ENTRIES = ".entries";
/** Entries of an environment that are no part of its state: the above, and uv's lock. */
export const PASSING_ENTRIES: ReadonlySet<string> = new Set([BEFORE, MAKING, DISCARDED, ".lock"]);

/**
 * Changes an environment completely or not at all, also when the power fails in between: the old files are on the disk
 * before the change begins, and the new ones before it is committed.
 *
 * @param flush flushes all files of a folder to the disk
 * @throws WorkbenchError `install-failed` with the remedy for an environment that this user may not change; what `change` throws
 */
export async function changeVenv<T>(venv: string, change: () => Promise<T>, flush = flushTree): Promise<T> {
  await rollBack(venv);
  try {
    await makeBackup(venv).catch((error: unknown) => {
      throw isDenied(error) ? notOurs(venv, error) : error;
    });
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
  // A rollback that was interrupted has moved some entries already, so the list says what was there.
  const listed = await readJson(path.join(before, ENTRIES), z.array(z.string()));
  const added = listed === null ? [] : (await entriesOf(venv)).filter((entry) => !listed.includes(entry));
  for (const entry of added) await rm(path.join(venv, entry), { recursive: true, force: true });
  for (const entry of await entriesOf(before)) {
    await rm(path.join(venv, entry), { recursive: true, force: true });
    await rename(path.join(before, entry), path.join(venv, entry));
  }
  await rm(before, { recursive: true });
}

const isDenied = (error: unknown): error is NodeJS.ErrnoException =>
  error instanceof Error && "code" in error && (error.code === "EACCES" || error.code === "EPERM");

function notOurs(venv: string, cause: NodeJS.ErrnoException): WorkbenchError {
  const remedy = `Run this as the user that owns it, or make it yours: sudo chown -R "$(id -un)" ${shellQuote(venv)}`;
  const text = `This user may not change the apps' environment ${venv} (${cause.code} at ${cause.path}); nothing was changed. ${remedy}`;
  return new WorkbenchError("install-failed", text, { cause });
}

/** True while a change is unfinished; `rollBack` undoes it. */
export function hasUnfinishedChange(venv: string): boolean {
  return existsSync(path.join(venv, BEFORE));
}

/** Within a change: where a file stands as it was before. @param file path relative to the environment */
export const copyBefore = (venv: string, file: string): string => path.join(venv, BEFORE, file);

/** Within a change: puts a file back as it was before. @param file path relative to the environment */
export async function putBack(venv: string, file: string): Promise<void> {
  const [from, to] = [copyBefore(venv, file), path.join(venv, file)];
  ensureFolder(path.dirname(to));
  await rm(to, { recursive: true, force: true });
  await ((await lstat(from)).isSymbolicLink() ? linkAgain : linkFile)(from, to);
}

async function makeBackup(venv: string): Promise<void> {
  const making = path.join(venv, MAKING);
  const entries = await entriesOf(venv);
  ensureFolder(making);
  await writeFile(path.join(making, ENTRIES), JSON.stringify(entries));
  await linkTree(venv, making, new Set(entries));
  await rename(making, path.join(venv, BEFORE));
}

/** The names of what an environment, or its copy, has. */
async function entriesOf(folder: string): Promise<string[]> {
  return (await readdir(folder)).filter((name) => !PASSING_ENTRIES.has(name) && name !== ENTRIES);
}

/** @param only the entries to link; default: all */
async function linkTree(from: string, to: string, only?: ReadonlySet<string>): Promise<void> {
  ensureFolder(to);
  const all = await readdir(from, { withFileTypes: true });
  const entries = only === undefined ? all : all.filter(({ name }) => only.has(name));
  const isFolder = (entry: Dirent) => entry.isDirectory();
  const linkOne = (entry: Dirent) => linkEntry(entry, path.join(from, entry.name), path.join(to, entry.name));
  await Promise.all(entries.filter((entry) => !isFolder(entry)).map(linkOne));
  for (const { name } of entries.filter(isFolder)) await linkTree(path.join(from, name), path.join(to, name));
}

const linkEntry = (entry: Dirent, source: string, target: string): Promise<void> =>
  (entry.isSymbolicLink() ? linkAgain : linkFile)(source, target);

const linkAgain = async (source: string, target: string): Promise<void> => symlink(await readlink(source), target);

/** Copies the file where the file system has no hard links. */
async function linkFile(source: string, target: string): Promise<void> {
  await link(source, target).catch(() => copyFile(source, target));
}
