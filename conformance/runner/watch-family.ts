import { commandOf, familyOf, startOf } from "./process-group.ts";

const PERIOD_MS = 100;

/** Watches a process and all that it starts, also what leaves its process group. */
export class FamilyWatch {
  readonly #pid: number;
  /** Start times and command lines of all that were ever seen, the process itself left out. */
  readonly #seen = new Map<number, { started: string; command: string }>();
  readonly #timer: NodeJS.Timeout;
  /** Seconds of processor time, and the most bytes of memory, so far. */
  cpu = 0;
  memory = 0;

  constructor(pid: number) {
    this.#pid = pid;
    this.#timer = setInterval(() => this.look(), PERIOD_MS);
    this.look();
  }

  look(): void {
    const { pids, cpu, memory } = familyOf(this.#pid);
    this.cpu = Math.max(this.cpu, cpu);
    this.memory = Math.max(this.memory, memory);
    for (const pid of pids) {
      if (pid === this.#pid || this.#seen.has(pid)) continue;
      const started = startOf(pid);
      if (started !== null) this.#seen.set(pid, { started, command: commandOf(pid).join(" ") });
    }
  }

  /** Stops to watch; returns the processes that are still there. */
  end(): { pid: number; command: string }[] {
    clearInterval(this.#timer);
    return [...this.#seen].flatMap(([pid, { started, command }]) =>
      startOf(pid) === started ? [{ pid, command }] : [],
    );
  }
}
