import fc from "fast-check";
import { expect, test } from "vitest";
import { PROPERTY_RUNS } from "../../common/testing/property-runs.ts";
import { fileTrial, rangeTrial, searchTrial } from "../testing/trials/trials.ts";
import { applyEdit } from "./apply.ts";
import { spliceText } from "./splice.ts";

for (const [name, trials] of Object.entries({ wf: fileTrial, lc: rangeTrial, sr: searchTrial })) {
  test(`no mutation of a valid ${name} answer is applied wrongly`, async () => {
    const count = { applied: 0, "no-change": 0, refused: 0 };
    await fc.assert(
      fc.asyncProperty(trials, async ({ current, response, expected, ...how }) => {
        const outcome = await applyEdit(current, response, { ...how, lang: "text" });
        count[outcome.status] += 1;
        if (outcome.status === "refused") return;
        expect(outcome.status === "applied" ? outcome.result : current).toBe(expected);
        if (outcome.status === "applied") expect(spliceText(current, outcome.splices)).toBe(outcome.result);
      }),
      { numRuns: PROPERTY_RUNS },
    );
    const tried = `${PROPERTY_RUNS} tried, ${count.applied} applied, ${count.refused} refused, ${count["no-change"]} no change`;
    process.stdout.write(`false applies of mutated ${name} answers: 0 (${tried})\n`);
    expect(count.applied).toBeGreaterThan(PROPERTY_RUNS / 10);
    expect(count.refused).toBeGreaterThan(PROPERTY_RUNS / 10);
  });
}
