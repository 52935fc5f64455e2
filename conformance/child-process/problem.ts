import { z } from "zod";
import { OUTCOMES } from "../verdict/verdict.ts";

export const problem = z.object({
  id: z.string(),
  level: z.enum(["MUST", "SHOULD"]),
  title: z.string(),
  status: z.enum(OUTCOMES),
  /** The first finding, or the reason of an outcome without one. */
  message: z.string(),
  file: z.string().nullable(),
  line: z.int().nullable(),
  /** Whether a test run shows it; false for what files alone show. */
  replayable: z.boolean(),
  /** The last traceback that the app printed in the test runs of the requirement. */
  traceback: z.string().nullable(),
});
/** A requirement that is not met, or could not be judged. */
export type Problem = z.infer<typeof problem>;

/** Outcomes of a requirement that an app violates. */
export const VIOLATED: readonly Problem["status"][] = ["fail", "warn", "flaky"];
