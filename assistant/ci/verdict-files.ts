import { readFile } from "node:fs/promises";
import path from "node:path";
import { z } from "zod";
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

/** What a summary needs of check.json and verdict.json; a check has neither digest nor seed. */
const Report = z.object({
  verdict: z.string(),
  app: z.string().nullable(),
  results: z.array(Result).readonly(),
  digest: z.string().optional(),
  seed: z.number().optional(),
});
export type Report = z.infer<typeof Report>;

/**
 * Reads the report that `check` or `certify` has written into a folder; null for a file that is not there.
 * @throws WorkbenchError `bad-request` for a file with other content
 */
export async function readReport(folder: string, name: "check.json" | "verdict.json"): Promise<Report | null> {
  const text = await readFile(path.join(folder, name), "utf8").catch(() => null);
  return text === null ? null : parseOrThrow(Report, parseJson(text, name), name);
}
