/** What a certification may use of the process that runs it. */
export interface Host {
  env: Readonly<Record<string, string | undefined>>;
  /** Milliseconds since the Unix epoch. */
  now(): number;
  /** Aborted by Ctrl-C, which ends everything that runs. */
  signal: AbortSignal;
}

/** A failure of the harness, the daemon or the machine. It says nothing about the app. */
export class HarnessError extends Error {}
