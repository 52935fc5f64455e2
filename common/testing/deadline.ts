/** Milliseconds that a test waits for what should come soon. A machine that is busy with other things takes its time. */
export const DEADLINE_MS = 120_000;
