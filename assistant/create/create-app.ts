import { randomUUID } from "node:crypto";
import { lstat, mkdir, readdir, rename, rm, rmdir, writeFile } from "node:fs/promises";
import path from "node:path";
import type { Dialect } from "../../robot/dialects/dialects.ts";
import { WorkbenchError } from "../../robot/wire/errors.ts";
import type { AppNames } from "./app-name.ts";
import { readTemplate } from "./template.ts";

const ASSISTANT = "robot-app-assistant";
const TASKS = ".vscode/tasks.json";

interface CreateAppOptions {
  app: AppNames;
  /** The dialect to write it in. Default: the contract's. */
  dialect?: Dialect;
  /** Folders of the template; files of later ones replace those of earlier ones. */
  template: readonly string[];
  /** Folder to create the app's folder in; created when it is missing. */
  destination: string;
  /** How a person runs robot-app-assistant in a folder; for the editor's tasks. */
  assistant?: (folder: string) => string;
  /** Aborting leaves nothing behind. */
  signal: AbortSignal;
}

/**
 * Creates an app's folder, `destination/<app_name>`, completely or not at all: it is written under a temporary name and
 * renamed. Returns its path.
 * @throws WorkbenchError `bad-request` when the folder exists already or cannot be written; the signal's
 *   reason when aborted
 */
export async function createApp(options: CreateAppOptions): Promise<string> {
  const { app, dialect, template, destination, assistant = () => ASSISTANT, signal } = options;
  const folder = path.join(destination, app.name);
  await refuseExisting(folder);
  const layers = await Promise.all(template.map((layer) => readTemplate(layer, app, dialect)));
  const files = new Map(layers.flatMap((layer) => [...layer]));
  const tasks = files.get(TASKS);
  const command = JSON.stringify(assistant(folder)).slice(1, -1);
  if (tasks !== undefined)
    files.set(
      TASKS,
      tasks.replaceAll(ASSISTANT, () => command),
    );
  // The topmost new folder; undefined when all existed.
  const createdTop = await mkdir(destination, { recursive: true }).catch((error) => {
    throw cannotWrite(destination, error);
  });
  const staging = path.join(destination, `.${app.name}-${randomUUID()}`);
  try {
    for (const [file, text] of files) {
      signal.throwIfAborted();
      await mkdir(path.join(staging, path.dirname(file)), { recursive: true });
      await writeFile(path.join(staging, file), text);
    }
    signal.throwIfAborted();
    await rename(staging, folder); // replaces an empty folder only
    return folder;
  } catch (error) {
    await rm(staging, { recursive: true, force: true });
    if (createdTop !== undefined) await removeEmpty(destination, createdTop);
    signal.throwIfAborted();
    await refuseExisting(folder);
    throw cannotWrite(destination, error);
  }
}

async function refuseExisting(folder: string): Promise<void> {
  const existing = await lstat(folder).catch(() => undefined);
  if (existing === undefined || (existing.isDirectory() && (await readdir(folder)).length === 0)) return;
  const what = `${folder} exists already, and nothing is overwritten.`;
  throw new WorkbenchError("bad-request", `${what} Choose another name or destination, or move it away.`);
}

/** Removes the empty folders from one up to another above it. */
async function removeEmpty(from: string, top: string): Promise<void> {
  for (let folder = from; folder.length >= top.length; folder = path.dirname(folder)) {
    await rmdir(folder).catch(() => {}); // not empty, or in use
  }
}

function cannotWrite(folder: string, error: unknown): WorkbenchError {
  const { code, message } = error as NodeJS.ErrnoException;
  return new WorkbenchError(
    "bad-request",
    `No app can be created in ${folder} (${code ?? message}). Choose another folder.`,
    { cause: error },
  );
}
