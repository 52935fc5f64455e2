import type { DaemonOptions } from "../command-line/invocation.ts";
import { type DataFolder, openDataFolder } from "../data-folder/data-folder.ts";
import { checkCanListen } from "../network/listen.ts";
import type { CommandContext } from "./command-context.ts";

/**
 * Takes the data folder for a daemon and checks that its port is free. It comes before the rest of the program is loaded, so
 * that a person is told at once.
 * @throws WorkbenchError `data-folder-in-use`, or `usage` for the port
 */
export async function claimDataFolder(options: DaemonOptions, context: CommandContext): Promise<DataFolder> {
  const { dataDir, venv } = options;
  const onWait = (message: string): void => context.report(`  … ${message}\n`);
  const state = { doing: "daemon", url: null, venv } as const;
  const dataFolder = await openDataFolder(dataDir, state, { signal: context.interrupted, onWait });
  await checkCanListen(options).catch(async (error) => {
    await dataFolder.close();
    throw error;
  });
  return dataFolder;
}
