import { parse } from "yaml";
import { z } from "zod";
import { WorkbenchError } from "../../robot/wire/errors.ts";
import type { Judgement, StaleWaiver, Waiver } from "../verdict/verdict.ts";
import { ALL_IDS } from "./ids.ts";

const Waivers = z.array(
  z.strictObject({
    requirement: z.string().refine((id) => ALL_IDS.includes(id), { error: "is the id of no requirement" }),
    reason: z.string().min(1),
    owner: z.string().min(1),
    expires: z.iso.date(),
  }),
);

/**
 * Reads a waivers file: a YAML list of objects with requirement, reason, owner and expires (YYYY-MM-DD).
 * @param name what to call the file in messages
 * @throws WorkbenchError `bad-request`
 */
export function readWaivers(text: string, name: string): Waiver[] {
  const read = Waivers.safeParse(parsed(text, name));
  if (read.success) return read.data;
  const problems = read.error.issues.map(({ path, message }) => `${path.join(".") || "the file"}: ${message}`);
  throw new WorkbenchError(
    "bad-request",
    `${name} is no list of waivers: ${problems.join("; ")}. Each has requirement, reason, owner and expires (YYYY-MM-DD).`,
  );
}

function parsed(text: string, name: string): unknown {
  try {
    // Dates stay text in the core schema.
    return parse(text, { schema: "core" });
  } catch (error) {
    throw new WorkbenchError("bad-request", `${name} does not parse: ${(error as Error).message}`);
  }
}

/**
 * Lets failures that somebody answers for count as warnings.
 * @param today YYYY-MM-DD, UTC
 * @param only the requirements that were judged; null for all
 */
export function waived(
  results: readonly Judgement[],
  waivers: readonly Waiver[],
  today: string,
  only: readonly string[] | null,
): { results: Judgement[]; stale: StaleWaiver[] } {
  const stale: StaleWaiver[] = [];
  const after = [...results];
  for (const waiver of waivers) {
    const at = after.findIndex(({ id }) => id === waiver.requirement);
    const judgement = after[at];
    if (waiver.expires < today) stale.push({ ...waiver, why: "expired" });
    else if (judgement?.status === "fail" || judgement?.status === "warn")
      after[at] = { ...judgement, status: "warn", waiver };
    else if (only === null || only.includes(waiver.requirement)) stale.push({ ...waiver, why: "unused" });
  }
  return { results: after, stale };
}
