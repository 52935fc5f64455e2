import type { Machine } from "../../common/machine/machine.ts";
import { ProcessTable } from "../../common/machine/process-table.ts";
import { sleep } from "../../common/time/clock.ts";
import type { Command } from "../../daemon/apps/start/app-command.ts";
import type { AppMachine, MainProcess } from "../../daemon/apps/start/spawn-main-process.ts";
import type { ProcessClock } from "./clocks.ts";

/** A process of the simulated machine. */
export interface VirtualProcess {
  readonly pid: number;
  readonly parent: number;
  readonly group: number;
  readonly name: string;
  readonly environment: Readonly<Record<string, string>>;
  /** Takes a signal; one that it does not handle ends it. */
  onSignal(signal: NodeJS.Signals): void;
}

/** Milliseconds that reading the process table takes at most. */
const READ_MS = 5;

/** The processes of the simulated machine. */
export class VirtualMachine {
  readonly #living = new Map<number, VirtualProcess>();
  readonly #random: () => number;
  #lastPid = 100;

  constructor(random: () => number) {
    this.#random = random;
  }

  get processes(): VirtualProcess[] {
    return [...this.#living.values()];
  }

  newPid(): number {
    this.#lastPid += 1;
    return this.#lastPid;
  }

  add(process: VirtualProcess): void {
    this.#living.set(process.pid, process);
  }

  remove(pid: number): void {
    this.#living.delete(pid);
  }

  isAlive(pid: number): boolean {
    return this.#living.has(pid);
  }

  /**
   * The machine as one of its processes sees it.
   * @param spawn starts a process for it
   */
  seenBy(pid: number, clock: ProcessClock, spawn: (command: Command) => Promise<MainProcess>): AppMachine {
    const takeTime = () => sleep(clock, READ_MS * this.#random());
    return {
      pid,
      spawn,
      readTable: async () => {
        await takeTime();
        return new ProcessTable(this.processes.map(entryOf));
      },
      kill: (target, signal) => this.#signal(target, signal),
      identityOf: async (wanted) => {
        await takeTime();
        return this.isAlive(wanted) ? { pid: wanted, started: startOf(wanted) } : null;
      },
      environmentVariable: async (of, name) => this.#living.get(of)?.environment[name],
      commandOf: (of) => [this.#living.get(of)?.name ?? ""],
      killSuccessors: async () => [],
      ownersOfConnection: async () => [],
    };
  }

  #signal(target: number, signal: Parameters<Machine["kill"]>[1]): void {
    const found = this.processes.filter(({ pid, group }) => (target < 0 ? group === -target : pid === target));
    if (found.length === 0) throw Object.assign(new Error(`kill ESRCH ${target}`), { code: "ESRCH" });
    if (signal !== 0) for (const process of found) process.onSignal(signal);
  }
}

/** Pids are used once, so that each stands for its start time. */
const startOf = (pid: number): string => `boot:${pid}`;

const entryOf = ({ pid, parent, group }: VirtualProcess) => {
  return { pid, parent, group, started: startOf(pid), cpuSeconds: 0, reapedCpuSeconds: 0, memoryBytes: 0 };
};
