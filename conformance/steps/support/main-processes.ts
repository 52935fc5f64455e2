import { commandOf, ProcessTable } from "../../../common/machine/process-table.ts";

/** Ids of the living processes that run `python -u -m <app_name>.main` with a Python of this folder. */
export const mainProcessesOf = (app: string, folder: string): number[] =>
  ProcessTable.readSync()
    .entries.map(({ pid }) => ({ pid, command: commandOf(pid) }))
    .filter(({ command }) => command[0]?.startsWith(folder) && command.join(" ").endsWith(` -u -m ${app}.main`))
    .map(({ pid }) => pid);
