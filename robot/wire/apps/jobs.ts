import { z } from "zod";
import { AppInfo } from "./app-status.ts";

/** `pending` waits for the job before it; `done`, `failed` and `cancelled` are final. */
export const JobStatus = z.enum(["pending", "in_progress", "done", "failed", "cancelled"]);
export type JobStatus = z.infer<typeof JobStatus>;

/** Stages of an installation, in order. A removal has the last three only. */
export const JobStage = z.enum(["fetch", "check", "install", "verify", "record"]);
export type JobStage = z.infer<typeof JobStage>;

/** An installation or removal of an app, which takes longer than a request. */
export const Job = z.object({
  job_id: z.string(),
  /** The request, for people: `install ./hello_robot`. */
  command: z.string(),
  status: JobStatus,
  stage: JobStage.nullable(),
  /** 0 to 100, never falling. */
  percent: z.number(),
  /** The last lines that the tools printed, at most 200. */
  logs: z.array(z.string()),
  log_lines: z.int().describe("How many lines the tools have printed, those that are no longer kept included"),
  /** A sentence when the job failed. */
  error: z.string().nullable(),
  /** The code of that error in the registry. */
  code: z.string().nullable(),
  /** The app as it is installed after the job; null until then and after a removal. */
  result: AppInfo.nullable(),
});
export type Job = z.infer<typeof Job>;

/**
 * The data of the event `job`: the job without its log, and of the log the lines that the event before did not have. The
 * first event that a client gets for an unfinished job has the whole log.
 */
export const JobEvent = Job.omit({ logs: true }).extend({
  new_logs: z.array(z.string()).describe("The newest lines of the log; log_lines counts them"),
});
export type JobEvent = z.infer<typeof JobEvent>;
