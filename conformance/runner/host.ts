/** What a certification may use of the process around it. */
export interface Host {
  env: Readonly<Record<string, string | undefined>>;
  /** Milliseconds since the Unix epoch. */
  now(): number;
  /** Aborted by Ctrl-C: everything that runs is ended. */
  signal: AbortSignal;
}

/** A failure of the harness or of the daemon, which says nothing about the app. */
export class HarnessError extends Error {}
