import { fileURLToPath } from "node:url";
import fc from "fast-check";
import { expect, test } from "vitest";
import { askPython } from "../../common/testing/ask-python.ts";
import { PROPERTY_RUNS } from "../../common/testing/property-runs.ts";
import type { CodeItem } from "../sample.ts";
import { editedPair, longPair } from "../testing/trials/arbitraries.ts";
import { prepareInputForLc, prepareInputForSr } from "./messages.ts";

const ORACLE = fileURLToPath(new URL("../testing/python/training_history.py", import.meta.url));

interface Job {
  older: string;
  newer: string;
  lang: string;
}

const item = (code: string, lang: string): CodeItem => ({ type: "code", lang, code });

async function compare(pairs: fc.Arbitrary<[string, string]>, share: number): Promise<void> {
  const runs = Math.ceil(PROPERTY_RUNS * share);
  const seed = fc.readConfigureGlobal()?.seed ?? Date.now();
  const jobs: Job[] = fc
    .sample(pairs, { numRuns: runs, seed })
    .map(([older, newer]) => ({ older, newer, lang: "Python" }));
  const answers = await askPython<{ lc: string; sr: string }>(ORACLE, jobs);
  jobs.forEach(({ older, newer, lang }, at) => {
    const sample = { history: [item(older, lang)], current: item(newer, lang), user: "" };
    const shown = { lc: prepareInputForLc(sample)[0]?.content, sr: prepareInputForSr(sample)[0]?.content };
    expect(shown, `seed ${seed}, sample ${at}`).toEqual(answers[at]);
  });
}

test("history turns equal those made with Python's difflib", () => compare(editedPair, 1));

test(
  "history turns equal those of difflib with its junk heuristic for 200 lines and more",
  () => compare(longPair, 0.1),
  120_000,
);
