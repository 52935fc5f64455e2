import { sendSignal } from "../../common/machine/machine.ts";
import type { ProcessEntry } from "../../common/machine/process-entry.ts";
import { commandOf, ProcessTable } from "../../common/machine/process-table.ts";
import type { FindProcesses } from "./observe/process-tree-watch.ts";
import type { Rig } from "./rig.ts";

/**
 * The processes of the app on a rig. A lane is the subreaper of everything that it starts (prctl(2)), so a process of the app
 * that leaves its group, its session and its parent still becomes a child of the lane.
 */
export class AppProcesses {
  readonly #rig: Pick<Rig, "pids" | "appPython">;
  /** Children of this process that are neither the rig's nor the app's. */
  readonly #ownPids: number[];

  constructor(rig: Pick<Rig, "pids" | "appPython">, ownPids: readonly number[]) {
    this.#rig = rig;
    this.#ownPids = [...ownPids];
  }

  /** Declares a child of this process that is not the app's. */
  addOwn(pid: number): void {
    this.#ownPids.push(pid);
  }

  /**
   * All processes of the app: those below what the daemon started, and those that left it and are beneath the subreaper. Of
   * the sandbox's own processes only what its first one has reaped.
   */
  readonly find: FindProcesses = (table, main) => {
    const { appPython } = this.#rig;
    const all = [...table.treeOf(appPython.knownFor(main)), ...this.#strangers(table)];
    const own = new Map(all.map((entry) => [entry.pid, entry]));
    for (const { known, wrappers } of appPython.launches())
      for (const pid of wrappers) {
        const entry = own.get(pid);
        const isReaper = pid === wrappers.at(-1) && pid !== known;
        if (entry !== undefined && isReaper) own.set(pid, { ...entry, cpuSeconds: 0 });
        else own.delete(pid);
      }
    return [...own.values()];
  };

  /** Those that are left in the lane after the app's exit, without the processes of its sandbox. */
  leftovers(): number[] {
    const wrappers = this.#rig.appPython.wrappers();
    return this.#strangers(ProcessTable.readSync())
      .map(({ pid }) => pid)
      .filter((pid) => !wrappers.includes(pid));
  }

  /** Kills those that are left, and returns their commands. */
  killLeftovers(): string[] {
    const left = this.leftovers();
    const commands = left.map((pid) => commandOf(pid).join(" "));
    for (const pid of left) sendSignal(pid, "SIGKILL");
    return commands;
  }

  /** Kills the processes of sandboxes whose app has ended, too. */
  endSandboxes(): void {
    for (const { pid } of this.#strangers(ProcessTable.readSync())) sendSignal(pid, "SIGKILL");
  }

  /** The descendants of this process beneath others than the known children. */
  #strangers(table: ProcessTable): ProcessEntry[] {
    const known = [...this.#rig.pids, ...this.#ownPids];
    return table
      .childrenOf(process.pid)
      .filter(({ pid }) => !known.includes(pid))
      .flatMap(({ pid }) => table.treeOf(pid));
  }
}
