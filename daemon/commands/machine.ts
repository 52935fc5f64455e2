import type { Step } from "../prepare.ts";

/** What a command sees of the process that runs it. */
export interface Machine {
  env: NodeJS.ProcessEnv;
  /** Folder of the package, and its version. */
  packageDir: string;
  version: string;
  /** Writes to the standard output. */
  print(text: string): void;
  /** Writes to the standard error: progress, and what goes wrong. */
  tell(text: string): void;
  /** True where a person reads the standard output. */
  isTerminal: boolean;
  /** True where a person can answer. */
  isInteractive: boolean;
  /** Aborts at the first SIGINT, SIGTERM or SIGHUP, with an `Interrupted` for a reason. */
  interrupted: AbortSignal;
  /** Resident set size of this process, bytes. */
  residentBytes(): number;
}

/** Somebody ended the program before it had done its work. */
export class Interrupted extends Error {
  readonly signal: NodeJS.Signals;
  constructor(signal: NodeJS.Signals) {
    super(`interrupted by ${signal}; nothing half-made is left`);
    this.name = "Interrupted";
    this.signal = signal;
  }
}

/** Shows steps on the standard error: the names of slow ones as they begin, and what was done. */
export function stepsOf({ tell }: Pick<Machine, "tell">): Step {
  return async (name, work) => {
    const slow = setTimeout(() => tell(`  … ${name}\n`), 1000);
    try {
      const result = await work();
      if (result !== "fresh") tell(`  ok ${name}\n`);
      return result;
    } finally {
      clearTimeout(slow);
    }
  };
}
