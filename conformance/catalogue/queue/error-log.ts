import type { Clock } from "../../../common/time/clock.ts";

/** Milliseconds between two lines about the same source. */
const PERIOD_MS = 30_000;

/** Prints an error. @param source what it is an error of, for example "Redis" */
export type LogError = (source: string, error: Error) => void;

/** Prints errors, at most one of each source in half a minute, with the number of those left out since the last one. */
export function createErrorLog(write: (text: string) => void, clock: Pick<Clock, "now">): LogError {
  const last = new Map<string, { at: number; leftOut: number }>();
  return (source, error) => {
    const now = clock.now();
    const previous = last.get(source);
    if (previous !== undefined && now - previous.at < PERIOD_MS) {
      previous.leftOut += 1;
      return;
    }
    last.set(source, { at: now, leftOut: 0 });
    // An AggregateError of Node has no message.
    const text = error.message || ((error as NodeJS.ErrnoException).code ?? error.name);
    const more = previous === undefined || previous.leftOut === 0 ? "" : ` (${previous.leftOut} more before it)`;
    write(`${source}: ${text}${more}\n`);
  };
}
