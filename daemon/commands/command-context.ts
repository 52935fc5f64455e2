import { LiveLine } from "../../common/live-line.ts";
import type { Program } from "../../common/machine/own-command.ts";
import type { AppReader } from "../apps/app-reader.ts";
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
  /** True where a person watches the standard error, and progress may be redrawn. */
  showsProgress: boolean;
  /** True where a person can answer. */
  isInteractive: boolean;
  /** Asks a person a yes-or-no question. */
  confirm(question: string): Promise<boolean>;
  /** Aborts at the first SIGINT, SIGTERM or SIGHUP; the reason is an `Interrupted`. */
  interrupted: AbortSignal;
  reader: AppReader;
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

/**
 * Shows steps on the standard error: slow ones while they run, and all when they have changed something. On a terminal the
 * line of a running step has its seconds and is redrawn.
 */
export function stepReporter({ report, showsProgress }: Pick<CommandContext, "report" | "showsProgress">): RunStep {
  return async (name, work) => {
    const began = performance.now();
    const line = new LiveLine(report, showsProgress);
    const slow = setTimeout(() => {
      const text = () => `  … ${name} (${Math.round((performance.now() - began) / 1000)} s)`;
      if (!showsProgress) return report(`  … ${name}\n`);
      line.draw(text());
      line.redraw(text);
    }, SLOW_STEP_MS);
    const finish = (): void => {
      clearTimeout(slow);
      line.close();
    };
    try {
      const result = await work();
      finish();
      if (result !== "unchanged") report(`  ok ${name}\n`);
      return result;
    } finally {
      finish();
    }
  };
}
