import fc from "fast-check";
import { expect, test } from "vitest";
import { PROPERTY_RUNS } from "../../common/testing/property-runs.ts";
import { judgeTrial } from "../testing/slips/judge.ts";
import { SLIP_KINDS } from "../testing/slips/trial.ts";

const first = fc.readConfigureGlobal()?.seed ?? 0;

test.each(SLIP_KINDS)("no answer with slips is applied wrongly: %s", async (slip) => {
  const counts = { right: 0, refused: 0, skipped: 0 };
  for (let seed = first; seed < first + 4 * PROPERTY_RUNS; seed += 1) {
    const { verdict, trial } = await judgeTrial(slip, seed);
    if (verdict === "wrong") expect.fail(`seed ${seed}: ${trial.slips.join(", ")}\n${trial.response}`);
    counts[verdict] += 1;
  }
  const { right, refused, skipped } = counts;
  const figures = `${right} applied as meant, ${refused} refused, ${skipped} without one reading before the slip`;
  process.stdout.write(`answers with slips, ${slip}: 0 wrong (${figures})\n`);
  if (slip === "layout") expect(refused).toBe(0);
  else expect(refused).toBeGreaterThan(PROPERTY_RUNS);
});
