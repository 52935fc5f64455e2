import { applyEdit, type EditResult } from "../../apply/apply.ts";
import { type SlipKind, type SlipTrial, slipTrial } from "./trial.ts";

/** A layout slip is wrong when it is refused; it is skipped when the answer without it has no reading either. */
type Verdict = "right" | "refused" | "wrong" | "skipped";

/** Applies the trial of a seed without a syntax check, which would find some of the slips in some languages. */
export async function judgeTrial(slip: SlipKind, seed: number): Promise<{ verdict: Verdict; trial: SlipTrial }> {
  const trial = slipTrial(slip, seed);
  const { current, expected, format, lang, clean } = trial;
  const apply = (response: string) => applyEdit(current, response, { format, lang, syntaxCheckers: {} });
  const outcome = await apply(trial.response);
  if (outcome.status !== "refused")
    return { verdict: textAfter(outcome, current) === expected ? "right" : "wrong", trial };
  if (slip !== "layout") return { verdict: "refused", trial };
  return { verdict: (await apply(clean)).status === "refused" ? "skipped" : "wrong", trial };
}

const textAfter = (outcome: EditResult, current: string) => (outcome.status === "applied" ? outcome.result : current);
