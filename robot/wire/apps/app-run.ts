import { z } from "zod";

/** One run of an app, as its log tells it. */
export const AppRun = z.object({
  started: z.number().describe("Milliseconds since the Unix epoch; names the run"),
  ended: z.number().nullable().describe("Null while it runs, and when the daemon ended first"),
  result: z.string().nullable().describe("How it ended: `exited with code 1`; null where that is not known"),
  cause: z.string().nullable().describe("Why it failed: the last line of its standard error, or what the daemon says"),
  lines: z.int().describe("Lines of its log"),
});
export type AppRun = z.infer<typeof AppRun>;
