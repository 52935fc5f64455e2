import fc from "fast-check";
import { expect, test } from "vitest";
import { FORMATS } from "../formats/format.ts";
import { DRAFTS } from "../testing/slips/kinds/drafts.ts";
import { ELISIONS } from "../testing/slips/kinds/elisions.ts";
import { KEPT_LINES } from "../testing/slips/kinds/kept-lines.ts";
import { randomOf } from "../testing/slips/random.ts";
import { realEdits } from "../testing/slips/real-edits.ts";
import { answerOf, draftOf, type SlipKind } from "../testing/slips/real-slip.ts";
import { applyEdit } from "./apply.ts";

const KINDS: Readonly<Record<string, SlipKind>> = { drafts: DRAFTS, elisions: ELISIONS, "kept lines": KEPT_LINES };

/** Answers of each kind; FC_RUNS is the number of all. */
const RUNS = Math.ceil((fc.readConfigureGlobal()?.numRuns ?? 1_200) / Object.keys(KINDS).length);
const first = fc.readConfigureGlobal()?.seed ?? 0;
const EDITS = await realEdits();

/** The parts of trials that are the same for each seed. */
const answers = new Map<string, string | undefined>();
function cached(key: string, write: () => string | undefined): string | undefined {
  if (!answers.has(key)) answers.set(key, write());
  return answers.get(key);
}

test.each(Object.keys(KINDS))("answers with slips over real edits, the syntax checked: %s", async (name) => {
  const kind = KINDS[name] as SlipKind;
  const slips = [...Object.entries(kind.harmless), ...Object.entries(kind.harmful)];
  const counts = new Map<string, { applied: number; refused: number; codes: Set<string> }>();
  const wrong: string[] = [];
  for (let seed = first, left = RUNS; left > 0; seed += 1) {
    const random = randomOf(seed);
    const at = random.below(EDITS.length);
    const edit = EDITS[at] as (typeof EDITS)[number];
    const format = random.pick(FORMATS);
    const [slip, make] = random.pick(slips);
    const answer = cached(`${at} ${format}`, () => answerOf(edit, edit.after, format));
    const draft = cached(`${at} ${format} draft`, () => answerOf(edit, draftOf(edit), format));
    if (answer === undefined || draft === undefined) continue;
    const made = make({ ...edit, random, format, answer, draft });
    if (made === undefined) continue;
    left -= 1;
    const { text, before = edit.before, means = edit.after, ...end } = made;
    const outcome = await applyEdit(before, text, { format, lang: edit.lang, ...end });
    const count = counts.get(slip) ?? { applied: 0, refused: 0, codes: new Set() };
    counts.set(slip, count);
    if (outcome.status === "refused") {
      count.refused += 1;
      count.codes.add(outcome.refusal.code);
    } else {
      count.applied += 1;
      const result = outcome.status === "applied" ? outcome.result : before;
      if (result !== means)
        wrong.push(
          `seed ${seed}, edit ${at}, ${format}, ${slip}:\n${firstDifference(result, means)}\n${text.slice(-1000)}`,
        );
    }
  }
  const sum = (names: string[], what: "applied" | "refused") =>
    names.reduce((total, each) => total + (counts.get(each)?.[what] ?? 0), 0);
  const [harmless, harmful] = [Object.keys(kind.harmless), Object.keys(kind.harmful)];
  const applied = sum(harmless, "applied");
  const lost = sum(harmless, "refused");
  const odd = [...counts].filter(([each, { refused }]) => each in kind.harmless && refused > 0);
  const lists = odd.map(([each, { refused, codes }]) => `${each}: ${refused} (${[...codes].join(", ")})`);
  process.stdout.write(
    `slips over real edits, ${name}: ${wrong.length} wrong; harmless: ${applied} applied, ${lost} refused; others: ` +
      `${sum(harmful, "applied")} applied as meant, ${sum(harmful, "refused")} refused. ${lists.join("; ")}\n`,
  );
  expect(wrong.slice(0, 5)).toEqual([]);
  expect(applied).toBeGreaterThanOrEqual(0.95 * (applied + lost));
  expect(counts.size).toBe(slips.length);
});

/** The first line in which two texts differ. */
function firstDifference(one: string, other: string): string {
  const [a, b] = [one.split("\n"), other.split("\n")];
  const at = a.findIndex((line, index) => line !== b[index]);
  return JSON.stringify({ line: at + 1, result: a[at], meant: b[at] });
}
