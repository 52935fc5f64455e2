import { commandOf, type ProcessIdentity, ProcessTable } from "../../../common/machine/process-table.ts";

/** The living processes that run `python -u -m <app_name>.main` with a Python of this folder. */
export const mainProcessesOf = (app: string, folder: string): ProcessIdentity[] =>
  ProcessTable.readSync().entries.filter(({ pid }) => {
    const command = commandOf(pid);
    return command[0]?.startsWith(folder) && command.join(" ").endsWith(` -u -m ${app}.main`);
  });
