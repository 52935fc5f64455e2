import type { Program } from "../../common/own-command.ts";
import type { RunStep } from "../start/prepare.ts";

/** What a command sees of the process that runs it. */
export interface CommandContext {
  env: NodeJS.ProcessEnv;
  /** Folder of the package. */
  packageDir: string;
  /** Version of the package. */
  version: string;
  /** How a person runs a program of this package from the working directory. */
  commandFor(program: Program): string;
  /** Writes to the standard output. */
  print(text: string): void;
  /** Writes to the standard error: progress and problems. */
  report(text: string): void;
  /** True where a person reads the standard output. */
  isTerminal: boolean;
  /** True where a person can answer. */
  isInteractive: boolean;
  /** Aborts at the first SIGINT, SIGTERM or SIGHUP; the reason is an `Interrupted`. */
  interrupted: AbortSignal;
  /** Resident memory of this process, bytes. */
  residentBytes(): number;
}

/** A signal ended the program before its work was done. */
export class Interrupted extends Error {
  readonly signal: NodeJS.Signals;
  constructor(signal: NodeJS.Signals) {
    super(`interrupted by ${signal}; nothing incomplete is left`);
    this.name = "Interrupted";
    this.signal = signal;
  }
}

/** Milliseconds after which the name of a step is shown while it still runs. */
const SLOW_STEP_MS = 1000;

/** Shows steps on the standard error: slow ones while they run, and all when they have changed something. */
export function stepReporter({ report }: Pick<CommandContext, "report">): RunStep {
  return async (name, work) => {
    const slow = setTimeout(() => report(`  … ${name}\n`), SLOW_STEP_MS);
    try {
      const result = await work();
      if (result !== "unchanged") report(`  ok ${name}\n`);
      return result;
    } finally {
      clearTimeout(slow);
    }
  };
}
