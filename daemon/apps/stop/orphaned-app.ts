import { rm } from "node:fs/promises";
import { z } from "zod";
import { isExhausted } from "../../../common/machine/absent.ts";
import { type Machine, pidExists, thisMachine } from "../../../common/machine/machine.ts";
import { endProcesses, processesOf } from "../../../common/machine/process-tree.ts";
import type { Clock } from "../../../common/time/clock.ts";
import { readJson, writeJson } from "../../files/json-file.ts";
import { runTree } from "../start/app-command.ts";

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

export async function clearRunningApp(file: string): Promise<void> {
  await rm(file, { force: true });
}

interface OrphanedAppParts {
  /** `running-app.json` */
  file: string;
  clock: Clock;
  /** Gets a sentence about what was found, or about what could not be found out. */
  onFound(message: string): void;
  /** Default: this one. */
  machine?: Machine;
}

/** The app that a killed daemon left running. */
export class OrphanedApp {
  readonly #parts: Required<OrphanedAppParts>;
  #isDone = false;

  constructor(parts: OrphanedAppParts) {
    this.#parts = { machine: thisMachine, ...parts };
  }

  /**
   * Ends the app, once. Processes are compared by start time as well, since their pid may belong to another program by
   * now. Does nothing while the daemon lives that started it. Where there is no process table, the app is
   * reported, and the next call looks again: the process group with its number may be another program's.
   * @throws Error of the system when it cannot be looked now: the next call looks again
   */
  async end(): Promise<void> {
    if (this.#isDone) return;
    const running = await readJson(this.#parts.file, RunningApp);
    if (running === null) {
      this.#isDone = true;
      return;
    }
    try {
      await this.#endApp(running);
      this.#isDone = true;
    } catch (error) {
      if (isExhausted(error)) throw error;
      const { app, group } = running;
      if (group === null || !pidExists(-group, this.#parts.machine)) return;
      const what = `Cannot tell whether ${app} still runs from an earlier daemon, as process group ${group}`;
      const why = error instanceof Error ? error.message : String(error);
      this.#parts.onFound(`${what}: ${why}. If it does, end it with "kill -- -${group}".`);
    }
  }

  async #endApp({ app, group, leader, mark: runId, daemon }: RunningApp): Promise<void> {
    const { file, clock, machine, onFound } = this.#parts;
    const daemonNow = daemon.pid === machine.pid ? null : await machine.identityOf(daemon.pid);
    if (daemonNow !== null && daemonNow.started === daemon.started) return;
    // The system gives the number of a group to no other process as long as one of the group lives.
    const current = group === null ? null : await machine.identityOf(group);
    const isReused = current !== null && current.started !== leader?.started;
    const tree = runTree(isReused ? null : group, runId);
    const remaining = await processesOf(tree, machine);
    await endProcesses(tree, clock, undefined, machine);
    await clearRunningApp(file);
    if (remaining.length > 0) onFound(`${app} was still running from an earlier daemon; it was ended.`);
  }
}
