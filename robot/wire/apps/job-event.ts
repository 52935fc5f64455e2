import { z } from "zod";
import { Job } from "./jobs.ts";

/**
 * The data of the event `job`: the job without its log, and of the log the lines that the event before did not have. The
 * first event that a client gets for an unfinished job has the whole log.
 */
export const JobEvent = Job.omit({ logs: true }).extend({
  new_logs: z.array(z.string()).describe("The newest lines of the log; log_lines counts them"),
});
export type JobEvent = z.infer<typeof JobEvent>;
