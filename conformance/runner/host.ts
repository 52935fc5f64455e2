/** What a certification may use of the process that runs it. */
export interface Host {
  env: Readonly<Record<string, string | undefined>>;
  /** Milliseconds since the Unix epoch. */
  now(): number;
  /** Aborted by Ctrl-C, which ends everything that runs. */
  signal: AbortSignal;
}

/** How a harness failure ends when other work on this machine is the reason. */
export const TOO_BUSY = "the machine is too busy";

/** A failure of the harness, the daemon or the machine. It says nothing about the app. */
export class HarnessError extends Error {}
