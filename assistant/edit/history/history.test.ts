import { fileURLToPath } from "node:url";
import fc from "fast-check";
import { expect, test } from "vitest";
import { prepareInputForLc, prepareInputForSr } from "../prompt/messages.ts";
import type { CodeItem } from "../sample.ts";
import { editedPair, longPair } from "../testing/arbitraries.ts";
import { askPython } from "../testing/python.ts";
import { RUNS } from "../testing/runs.ts";

const ORACLE = fileURLToPath(new URL("../testing/training_history.py", import.meta.url));

interface Job {
  older: string;
  newer: string;
  lang: string;
}

const item = (code: string, lang: string): CodeItem => ({ type: "code", lang, code });

async function compare(pairs: fc.Arbitrary<[string, string]>, share: number): Promise<void> {
  const runs = Math.ceil(RUNS * share);
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

test("history turns are what Python's difflib made for training", () => compare(editedPair, 1));

test("also where the junk heuristic of 200 lines and more has its say", () => compare(longPair, 0.1), 120_000);
