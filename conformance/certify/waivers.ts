import { parse } from "yaml";
import { z } from "zod";
import { WorkbenchError } from "../../robot/wire/errors.ts";
import { parseOrThrow } from "../../robot/wire/validation/parse-or-throw.ts";
import type { Judgement, StaleWaiver, Waiver } from "../verdict/verdict.ts";
import { ALL_IDS } from "./tiers.ts";

const Waivers = z.array(
  z.strictObject({
    requirement: z
      .string()
      .refine((id) => ALL_IDS.includes(id), { error: "the id of a requirement, for example LIFE-003" }),
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
  const next = "Each waiver has requirement, reason, owner and expires (YYYY-MM-DD).";
  return parseOrThrow(Waivers, parsed(text, name), name, { next });
}

function parsed(text: string, name: string): unknown {
  try {
    // The core schema leaves dates as text.
    return parse(text, { schema: "core" });
  } catch (error) {
    throw new WorkbenchError("bad-request", `${name} does not parse: ${(error as Error).message}`);
  }
}

/**
 * Turns waived failures into warnings.
 * @param today YYYY-MM-DD, UTC
 * @param only the requirements that were judged; null for all
 */
export function applyWaivers(
  results: readonly Judgement[],
  waivers: readonly Waiver[],
  today: string,
  only: readonly string[] | null,
): { results: Judgement[]; stale: StaleWaiver[] } {
  const stale: StaleWaiver[] = [];
  const waived = [...results];
  for (const waiver of waivers) {
    const at = waived.findIndex(({ id }) => id === waiver.requirement);
    const judgement = waived[at];
    if (waiver.expires < today) stale.push({ ...waiver, why: "expired" });
    else if (judgement !== undefined && ["fail", "warn", "flaky"].includes(judgement.status))
      waived[at] = { ...judgement, status: "warn", waiver };
    else if (only === null || only.includes(waiver.requirement)) stale.push({ ...waiver, why: "unused" });
  }
  return { results: waived, stale };
}
