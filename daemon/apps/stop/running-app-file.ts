import { rm } from "node:fs/promises";
import { z } from "zod";
import { type Machine, thisMachine } from "../../../common/machine/machine.ts";
import { readJson, writeJson } from "../../files/json-file.ts";

/** A process; `started` is null where the process table could not be read. */
const ProcessIdentity = z.object({ pid: z.int().positive(), started: z.string().nullable() });

/** The content of `running-app.json`. */
export const RunningApp = z.object({
  app: z.string(),
  /** Process group; null before the process starts. */
  group: z.int().positive().nullable(),
  /** The app's main process; null when it exited before its start time was read. Others of its group may live on. */
  leader: ProcessIdentity.nullable(),
  /** Run id. */
  mark: z.string(),
  daemon: ProcessIdentity,
});
export type RunningApp = z.infer<typeof RunningApp>;

/**
 * Writes down which app runs. A daemon that is started after this one was killed reads it.
 * @param group pid of the main process; null before the process starts, when only the run id is known
 */
export async function writeRunningApp(
  file: string,
  app: string,
  group: number | null,
  runId: string,
  machine: Pick<Machine, "pid" | "identityOf"> = thisMachine,
): Promise<void> {
  const identified = (pid: number) => machine.identityOf(pid).catch(() => ({ pid, started: null }));
  const [leader, daemon] = [group === null ? null : await identified(group), await identified(machine.pid)];
  if (daemon === null) return;
  const running: RunningApp = { app, group, leader, mark: runId, daemon };
  // Without fsync: a killed daemon leaves the system's file cache intact, and a power loss ends the app as well.
  await writeJson(file, running, { sync: false });
}

/** The app that a daemon wrote down; null when there is none. */
export function readRunningApp(file: string): Promise<RunningApp | null> {
  return readJson(file, RunningApp);
}

export async function clearRunningApp(file: string): Promise<void> {
  await rm(file, { force: true });
}
