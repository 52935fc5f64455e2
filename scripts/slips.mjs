// Judges generated answers with slips (edit/testing/slips) until COUNT are judged, and continues where the last run ended.
// The state is written to STATE.json as it goes, and printed at the end.
// node --import tsx scripts/slips.mjs STATE.json [COUNT]
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { judgeSlip } from "../edit/testing/slips/judge.ts";
import { SLIPS } from "../edit/testing/slips/trial.ts";

/** Answers between two writes of the state. */
const STEP = 3000;

const [file = "slips.json", count = "1000000"] = process.argv.slice(2);
const zero = () => ({ right: 0, refused: 0, wrong: 0, skipped: 0 });
/** `next` is the seed to go on with; `wrong` has the kind of slip and the seed of each answer that was judged wrongly.
 * @type {{ next: number, counts: Record<string, ReturnType<typeof zero>>, wrong: string[] }} */
const state = existsSync(file)
  ? JSON.parse(readFileSync(file, "utf8"))
  : { next: 0, counts: Object.fromEntries(SLIPS.map((slip) => [slip, zero()])), wrong: [] };

while (state.next * SLIPS.length < Number(count)) {
  const until = state.next + Math.ceil(STEP / SLIPS.length);
  for (; state.next < until; state.next += 1) {
    for (const slip of SLIPS) {
      const { verdict } = await judgeSlip(slip, state.next);
      // A state of an earlier run may not have a kind of slip that was added since.
      state.counts[slip] ??= zero();
      state.counts[slip][verdict] += 1;
      if (verdict === "wrong") state.wrong.push(`${slip} ${state.next}`);
    }
  }
  writeFileSync(file, JSON.stringify(state, null, 1));
}
console.log(JSON.stringify(state, null, 1));
