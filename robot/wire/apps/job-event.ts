import { z } from "zod";
import { Job } from "./jobs.ts";

/** Lines of the tools' output that are kept for each job. */
export const MAX_JOB_LINES = 200;

/**
 * The data of the event `job`: the job without its log, and of the log the lines that the event before did not have. The
 * first event that a client gets for an unfinished job has the whole log.
 */
export const JobEvent = Job.omit({ logs: true }).extend({
  new_logs: z.array(z.string()).describe("The newest lines of the log; log_lines counts them"),
});
export type JobEvent = z.infer<typeof JobEvent>;

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
