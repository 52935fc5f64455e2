import { createHash } from "node:crypto";
import type { Stats } from "node:fs";
import { lstat } from "node:fs/promises";
import { join } from "node:path";
import { GENERATED } from "../../edit/prompt/reference-files.ts";
import { Refused } from "../../edit/refusal.ts";
import { placeOfNewFile } from "../../edit/session/answered-path.ts";
import { WorkbenchError } from "../../robot/wire/errors.ts";
import type { WorkshopFinding } from "../../robot/wire/workshop/workshop.ts";
import type { Files } from "../check/app/read-files.ts";
import { readApp } from "../check/check-app.ts";

/** Whether a file is the author's: not hidden, and not made by a tool. */
export const isOfAuthor = (name: string): boolean => name.split("/").every((part) => !GENERATED.test(part));

/** The texts of the author's files, without links, by path inside the app. @param root real path of the app's folder */
export async function authorTexts(root: string, files: Files): Promise<Map<string, string>> {
  const texts = new Map<string, string>();
  for (const [name, text] of files)
    if (text !== null && isOfAuthor(name) && (await isPlainFile(join(root, name)))) texts.set(name, text);
  return texts;
}

/**
 * A digest of the author's files: of the texts, and of size and time of the others. It changes when any of them does.
 * @param texts of `authorTexts`
 */
export async function revisionOf(root: string, files: Files, texts: ReadonlyMap<string, string>): Promise<string> {
  const hash = createHash("sha256");
  for (const name of [...files.keys()].filter(isOfAuthor).sort()) {
    const found = texts.has(name) ? null : await lstat(join(root, name)).catch(() => null);
    hash.update(JSON.stringify([name, texts.get(name) ?? [found?.size, found?.mtimeMs]]));
  }
  return hash.digest("hex");
}

/** False for a link, and for a file that is gone: editors write beside a file and rename. */
const isPlainFile = (path: string): Promise<boolean> =>
  lstat(path).then(
    (found) => found.isFile(),
    () => false,
  );

/** Reads the files of an app; again when one was gone before it was read. @throws as `readApp` */
export async function readSteadyApp(folder: string, signal: AbortSignal): Promise<Files> {
  return readApp(folder, signal).catch((error: WorkbenchError) => {
    if ((error.cause as NodeJS.ErrnoException | undefined)?.code !== "ENOENT") throw error;
    return readApp(folder, signal);
  });
}

/**
 * The place of a file that a client names, which exists or may be made.
 * @param root real path of the app's folder
 * @throws WorkbenchError `edit-refused` for a path that leads out of the folder or through a link, and for a hidden file or
 *   one that a tool made; for a new one also when an install or a test would execute it by its name
 */
export async function placeIn(root: string, name: string): Promise<string> {
  const parts = name.split("/");
  if (parts.some((part) => part === "" || part.includes("\\") || part.includes("\0") || GENERATED.test(part)))
    throw refused(name, "is not the path of a file of yours in the app, with / between folders");
  let place = root;
  for (const [depth, part] of parts.entries()) {
    place = join(place, part);
    const found = await lstat(place).catch((error: NodeJS.ErrnoException) => {
      if (error.code === "ENOENT") return undefined;
      throw refused(name, `is no path that this machine can have (${error.code})`);
    });
    if (found === undefined) return placeOfNew(root, name);
    const isLast = depth === parts.length - 1;
    if (isLast ? !found.isFile() : !found.isDirectory())
      throw refused(name, `leads through ${parts.slice(0, depth + 1).join("/")}, which is ${kindOf(found)}`);
  }
  return place;
}

/** Why a file cannot be where its name says; none when it can. */
export const fileNameFindings = (root: string, name: string): Promise<WorkshopFinding[]> =>
  placeIn(root, name).then(
    () => [],
    ({ message }: Error) => [{ id: "name", level: "MUST", file: name, line: null, message }],
  );

const kindOf = (found: Stats): string =>
  found.isSymbolicLink() ? "a link" : found.isDirectory() ? "a folder" : found.isFile() ? "a file" : "no file";

async function placeOfNew(root: string, name: string): Promise<string> {
  try {
    return await placeOfNewFile(root, name);
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    throw new WorkbenchError("edit-refused", `${error.refusal.reason} Give it another name, or make it in the folder.`);
  }
}

const refused = (name: string, why: string): WorkbenchError =>
  new WorkbenchError("edit-refused", `${JSON.stringify(name)} ${why}.`);
