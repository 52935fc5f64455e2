import { openFilesLimit } from "../../common/machine/open-files.ts";
import { WorkbenchError } from "../../robot/wire/errors.ts";
import type { DaemonOptions } from "../command-line/invocation.ts";
import { type DataFolder, openDataFolder } from "../data-folder/data-folder.ts";
import { checkCanListen } from "../network/listen.ts";
import type { CommandContext } from "./command-context.ts";

/**
 * Takes the data folder for a daemon and checks that its port is free. It comes before the rest of the program is loaded, so
 * that a person is told at once.
 * @throws WorkbenchError `data-folder-in-use`, `usage` for the port, `system-refused` when it may open too few files
 */
export async function claimDataFolder(options: DaemonOptions, context: CommandContext): Promise<DataFolder> {
  const { dataDir, venv } = options;
  checkOpenFiles(openFilesLimit());
  const onWait = (message: string): void => context.report(`  … ${message}\n`);
  const state = { doing: "daemon", url: null, venv } as const;
  const dataFolder = await openDataFolder(dataDir, state, { signal: context.interrupted, onWait });
  await checkCanListen(options).catch(async (error) => {
    await dataFolder.close();
    throw error;
  });
  return dataFolder;
}

/** What a daemon has open with an app, an install and some clients. */
const MIN_OPEN_FILES = 256;

/** @throws WorkbenchError `system-refused` */
function checkOpenFiles(limit: number): void {
  if (limit >= MIN_OPEN_FILES) return;
  const why = `A daemon needs at least ${MIN_OPEN_FILES} open files and connections, and this one may have ${limit}`;
  throw new WorkbenchError("system-refused", `${why} (ulimit -n). Start it with more: ulimit -n 4096; robot-daemon …`);
}
