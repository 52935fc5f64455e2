import path from "node:path";
import { z } from "zod";
import { readIfPresent } from "../../common/machine/read-if-present.ts";
import { WorkbenchError } from "../../robot/wire/errors.ts";
import { parseJson } from "../../robot/wire/validation/parse-json.ts";
import { parseOrThrow } from "../../robot/wire/validation/parse-or-throw.ts";

/** One requirement, as a check and a certification write it. */
const Result = z.object({
  id: z.string(),
  level: z.string(),
  title: z.string(),
  status: z.string(),
  findings: z.array(z.object({ message: z.string(), file: z.string(), line: z.number().nullable() })).readonly(),
  reason: z.string().nullable(),
});
export type Result = z.infer<typeof Result>;

/** What a summary needs of check.json and verdict.json; each has fields that the other lacks. */
const Report = z.object({
  verdict: z.string(),
  app: z.string().nullable(),
  results: z.array(Result).readonly(),
  /** Of a check: the rules that were left out. */
  leftOut: z.array(z.string()).readonly().optional(),
  /** Of a certification: the requirements that were asked for; null for all. */
  only: z.array(z.string()).readonly().nullable().optional(),
  digest: z.string().optional(),
  seed: z.number().optional(),
});
export type Report = z.infer<typeof Report>;

/**
 * Reads the report that `check` or `certify` has written into a folder; null for a file that is not there.
 * @throws WorkbenchError `bad-request` for a file that cannot be read or has other content
 */
export async function readReport(folder: string, name: "check.json" | "verdict.json"): Promise<Report | null> {
  const text = await readIfPresent(path.join(folder, name)).catch((cause: NodeJS.ErrnoException) => {
    throw new WorkbenchError("bad-request", `${path.join(folder, name)} cannot be read (${cause.code}).`, { cause });
  });
  return text === null ? null : parseOrThrow(Report, parseJson(text, name), name);
}
