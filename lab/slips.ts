// Judges generated answers with slips (edit/testing/slips) until COUNT are judged, and continues where the last run ended.
// The state is written to STATE.json as it goes, and printed at the end.
// npm run lab -- slips STATE.json [COUNT]
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { judgeTrial } from "../edit/testing/slips/judge.ts";
import { SLIP_KINDS } from "../edit/testing/slips/trial.ts";

/** Answers between two writes of the state. */
const STEP = 3000;

const [file = "slips.json", count = "1000000"] = process.argv.slice(2);
const zero = () => ({ right: 0, refused: 0, wrong: 0, skipped: 0 });
/** `next` is the seed to go on with; `wrong` has the kind of slip and the seed of each answer that was judged wrongly. */
const state: { next: number; counts: Record<string, ReturnType<typeof zero>>; wrong: string[] } = existsSync(file)
  ? JSON.parse(readFileSync(file, "utf8"))
  : { next: 0, counts: {}, wrong: [] };

while (state.next * SLIP_KINDS.length < Number(count)) {
  const until = state.next + Math.ceil(STEP / SLIP_KINDS.length);
  for (; state.next < until; state.next += 1) {
    for (const slip of SLIP_KINDS) {
      const { verdict } = await judgeTrial(slip, state.next);
      state.counts[slip] ??= zero();
      state.counts[slip][verdict] += 1;
      if (verdict === "wrong") state.wrong.push(`${slip} ${state.next}`);
    }
  }
  writeFileSync(file, JSON.stringify(state, null, 1));
}
console.log(JSON.stringify(state, null, 1));
