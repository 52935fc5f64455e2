import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import writeFileAtomic from "write-file-atomic";
import { readFiles } from "../../check/app/read-files.ts";
import { PAGE } from "../checked-files.ts";
import type { RunCertifyOptions } from "./run-certify.ts";
import { VERDICT_FOLDER, withVerdictNote } from "./verdict-block.ts";

export interface GateOptions {
  folder: string;
  app: string;
  skipCertify?: boolean;
  /** Certifies a folder. @throws WorkbenchError when the app must not be published */
  certify(options: Pick<RunCertifyOptions, "app" | "out">): Promise<void>;
  /** Called before the folder is copied, and before anything is written into it. @throws WorkbenchError when it changed */
  requireUnchanged(): Promise<void>;
  signal: AbortSignal;
}

/** Files of a verdict that are published; those that a certification did not write are left out. */
const PUBLISHED = [
  "report.html",
  "verdict.json",
  "verdict.intoto.jsonl",
  "verdict.json.sig",
  "badge.svg",
  "badge.json",
];

/**
 * Certifies what is going to be published, then writes the note on the landing page and the verdict's files into the
 * app's folder. A copy in a temporary folder is certified, so that the folder stays as it was when the app is refused, and
 * the published report names no folder of the author.
 * @throws WorkbenchError why the app is refused or cannot be certified; the signal's reason
 */
export async function passGate(options: GateOptions): Promise<void> {
  const { folder, app, skipCertify, certify, requireUnchanged, signal } = options;
  await requireUnchanged();
  const page = path.join(folder, PAGE);
  const before = await readFile(page, "utf8");
  const after = withVerdictNote(before, skipCertify ? "skipped" : "certified");
  const verdict = path.join(folder, VERDICT_FOLDER);
  if (skipCertify) {
    await rm(verdict, { recursive: true, force: true });
    if (after !== before) await writeFileAtomic(page, after);
    return;
  }
  const scratch = await mkdtemp(path.join(tmpdir(), "robot-publish-"));
  try {
    const copy = path.join(scratch, app);
    await copyApp(folder, copy, signal);
    await writeFile(path.join(copy, PAGE), after);
    const out = path.join(scratch, "verdict");
    await certify({ app: copy, out });
    signal.throwIfAborted();
    await requireUnchanged();
    await rm(verdict, { recursive: true, force: true });
    await mkdir(verdict);
    for (const name of PUBLISHED)
      await cp(path.join(out, name), path.join(verdict, name)).catch((error: NodeJS.ErrnoException) => {
        if (error.code !== "ENOENT") throw error;
      });
    if (after !== before) await writeFileAtomic(page, after);
  } finally {
    await rm(scratch, { recursive: true, force: true, maxRetries: 3 });
  }
}

/** Copies the files that are published, without an earlier verdict. */
async function copyApp(folder: string, to: string, signal: AbortSignal): Promise<void> {
  for (const file of (await readFiles(folder, signal)).keys()) {
    if (file.startsWith(`${VERDICT_FOLDER}/`)) continue;
    await mkdir(path.dirname(path.join(to, file)), { recursive: true });
    await cp(path.join(folder, file), path.join(to, file), { dereference: true });
  }
}
