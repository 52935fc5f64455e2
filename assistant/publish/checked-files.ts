import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import path from "node:path";
import { pipeline } from "node:stream/promises";
import type { Files } from "../check/app/read-files.ts";
import { readApp } from "../check/check-app.ts";
import { VERDICT_FOLDER } from "./gate/verdict-block.ts";
import { publishRefused } from "./publish-refused.ts";

/** The landing page, on which `publish` writes the note on the verdict. */
export const PAGE = "index.html";
/** How many files a message names. */
const NAMED = 5;

/** SHA-256 of the files that a check has read, by path. */
export type FileDigests = ReadonlyMap<string, string>;

/**
 * Computes the digests of files that have been read.
 * @throws Error of Node when a file whose text was not read cannot be read; the signal's reason
 */
export async function digestFiles(folder: string, files: Files, signal: AbortSignal): Promise<FileDigests> {
  const digests = new Map<string, string>();
  for (const [file, text] of files) {
    const hash = createHash("sha256");
    if (text === null) await pipeline(createReadStream(path.join(folder, file)), hash, { signal });
    else hash.update(text);
    digests.set(file, hash.digest("hex"));
  }
  return digests;
}

/**
 * Refuses to publish files that differ from those that were checked. Without this a file that is saved while a person
 * confirms, or during the certification, would be published under a verdict that does not cover it.
 * @throws WorkbenchError `publish-refused` with the names of the files; `check-failed` when one cannot be read; the
 *   signal's reason
 */
export async function requireUnchanged(folder: string, checked: FileDigests, signal: AbortSignal): Promise<void> {
  const found = await digestFiles(folder, await readApp(folder, signal), signal);
  const changed = [...new Set([...checked.keys(), ...found.keys()])].filter(
    (file) => checked.get(file) !== found.get(file),
  );
  if (changed.length === 0) return;
  const more = changed.length > NAMED ? ` and ${changed.length - NAMED} more` : "";
  const names = `${changed.slice(0, NAMED).join(", ")}${more}`;
  throw publishRefused(`Not published: ${names} changed after the check. Publish again, which checks the new state.`);
}

/** The checked files with those that `publish` itself has written since: the landing page and the verdict. */
export async function withGeneratedFiles(
  folder: string,
  checked: FileDigests,
  signal: AbortSignal,
): Promise<FileDigests> {
  const isWritten = (file: string) => file === PAGE || file.startsWith(`${VERDICT_FOLDER}/`);
  const found = await digestFiles(folder, await readApp(folder, signal), signal);
  return new Map([
    ...[...checked].filter(([file]) => !isWritten(file)),
    ...[...found].filter(([file]) => isWritten(file)),
  ]);
}
