import { z } from "zod";
import { MessageLevel } from "../robot/robot-event.ts";
import { AppStatus } from "./app-status.ts";
import { JobEvent } from "./jobs.ts";

/** One line that an app printed, or that the daemon reports about it. */
export const LogLine = z.object({
  time: z.number().describe("Milliseconds since the Unix epoch"),
  app: z.string(),
  from: z.enum(["stdout", "stderr", "daemon"]),
  text: z.string(),
});
export type LogLine = z.infer<typeof LogLine>;

const processFields = {
  app: z.string(),
  pid: z.int(),
  time: z.number().describe("Milliseconds since the Unix epoch"),
};

/** The start or the exit of an app's main process. */
export const AppProcessEvent = z.discriminatedUnion("what", [
  z.object({ what: z.literal("started"), ...processFields }),
  z.object({
    what: z.literal("exited"),
    ...processFields,
    code: z.int().nullable().describe("Exit code; null when a signal ended the process"),
    signal: z.string().nullable().describe("Signal that ended the process, for example SIGKILL"),
    forced: z.boolean().describe("Whether it ignored SIGINT for the grace period"),
    leftBehind: z
      .array(z.object({ pid: z.int(), command: z.string() }))
      .describe("Processes of the app that outlived it and were ended"),
    survivors: z.array(z.int()).describe("Those of them that survived SIGKILL"),
  }),
]);
export type AppProcessEvent = z.infer<typeof AppProcessEvent>;

/** Everything that the app host emits, in the order in which it happened, and before what it causes. */
export const AppEvent = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("slot"), status: AppStatus }),
  z.object({ kind: z.literal("log"), line: LogLine }),
  z.object({ kind: z.literal("process"), event: AppProcessEvent }),
  z.object({ kind: z.literal("job"), job: JobEvent }),
  z.object({ kind: z.literal("startup-app"), name: z.string().nullable() }),
  z.object({ kind: z.literal("notice"), level: MessageLevel, message: z.string() }),
]);
export type AppEvent = z.infer<typeof AppEvent>;
