import type { Job, JobEvent } from "./jobs.ts";

// Types only: the dashboard's security policy forbids the code that schemas generate.

/** Lines of the tools' output that are kept for each job. */
export const MAX_JOB_LINES = 200;

/**
 * What a log has gained.
 * @param seen how many lines of it are known
 * @param lines its newest lines
 * @param count how many lines it has had
 */
export function linesAfter(seen: number, lines: readonly string[], count: number): readonly string[] {
  return count <= seen ? [] : lines.slice(seen - count);
}

/** The event of a job for a client that knows the first `seen` lines of its log. */
export function jobEventOf({ logs, ...job }: Job, seen: number): JobEvent {
  return { ...job, new_logs: [...linesAfter(seen, logs, job.log_lines)] };
}

/** A job after an event. @param before the job as far as it is known; undefined for a new one */
export function withJobEvent(before: Job | undefined, { new_logs, ...job }: JobEvent): Job {
  const added = linesAfter(before?.log_lines ?? 0, new_logs, job.log_lines);
  return { ...job, logs: [...(before?.logs ?? []), ...added].slice(-MAX_JOB_LINES) };
}
