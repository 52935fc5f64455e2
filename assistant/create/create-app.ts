import { randomUUID } from "node:crypto";
import { lstat, mkdir, readdir, rename, rm, rmdir, writeFile } from "node:fs/promises";
import path from "node:path";
import { WorkbenchError } from "../../robot/wire/errors.ts";
import type { AppName } from "./app-name.ts";
import { readTemplate } from "./template.ts";

export interface Creation {
  app: AppName;
  /** Folder of the template. */
  template: string;
  /** Where the app's folder goes; made when it is missing. */
  destination: string;
  /** Nothing is left when it aborts. */
  signal: AbortSignal;
}

/**
 * Makes an app's folder, `destination/<app_name>`, all of it or nothing: it is written beside its place and renamed.
 * Returns its path.
 * @throws WorkbenchError `bad-request` when something is there already or the place cannot be written to; the signal's
 *   reason when aborted
 */
export async function createApp({ app, template, destination, signal }: Creation): Promise<string> {
  const folder = path.join(destination, app.name);
  await refuseIfTaken(folder);
  const files = await readTemplate(template, app);
  // The topmost folder that was not there, or undefined.
  const made = await mkdir(destination, { recursive: true }).catch((error) => {
    throw unwritable(destination, error);
  });
  const beside = path.join(destination, `.${app.name}-${randomUUID()}`);
  try {
    for (const [file, text] of files) {
      signal.throwIfAborted();
      await mkdir(path.join(beside, path.dirname(file)), { recursive: true });
      await writeFile(path.join(beside, file), text);
    }
    signal.throwIfAborted();
    await rename(beside, folder); // takes the place of an empty folder, of nothing else
    return folder;
  } catch (error) {
    await rm(beside, { recursive: true, force: true });
    if (made !== undefined) await removeEmpty(destination, made);
    signal.throwIfAborted();
    await refuseIfTaken(folder);
    throw unwritable(destination, error);
  }
}

async function refuseIfTaken(folder: string): Promise<void> {
  const there = await lstat(folder).catch(() => undefined);
  if (there === undefined || (there.isDirectory() && (await readdir(folder)).length === 0)) return;
  const what = `${folder} exists already, and nothing is overwritten.`;
  throw new WorkbenchError("bad-request", `${what} Choose another name or destination, or move it away.`);
}

/** Takes away the empty folders from one up to another above it. */
async function removeEmpty(from: string, top: string): Promise<void> {
  for (let folder = from; folder.length >= top.length; folder = path.dirname(folder)) {
    await rmdir(folder).catch(() => {}); // somebody has put something there meanwhile
  }
}

function unwritable(folder: string, error: unknown): WorkbenchError {
  const { code, message } = error as NodeJS.ErrnoException;
  return new WorkbenchError(
    "bad-request",
    `No app can be made in ${folder} (${code ?? message}). Choose another place.`,
    { cause: error },
  );
}
