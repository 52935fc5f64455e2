import fc from "fast-check";
import { expect, test } from "vitest";
import { COMPILE_CHECK, damagedPython } from "../../edit/testing/damaged-python.ts";
import { askPython } from "../../edit/testing/python.ts";
import { RUNS } from "../../edit/testing/runs.ts";
import { parsePython } from "./parse.ts";

test("it refuses nothing that Python takes, and misses little of what Python refuses", async () => {
  const seed = fc.readConfigureGlobal()?.seed ?? Date.now();
  const texts = fc.sample(damagedPython, { numRuns: RUNS, seed });
  const verdicts = await askPython<string | null>(COMPILE_CHECK, texts);
  const refused = texts.map((text) => "fault" in parsePython(text));
  const alarms = texts.filter((_, at) => verdicts[at] === null && refused[at]);
  const broken = verdicts.flatMap((verdict, at) => (verdict === null ? [] : [refused[at]]));
  const found = broken.filter((each) => each).length;
  process.stdout.write(
    `check's parser: ${found} of ${broken.length} broken files found, ${alarms.length} false alarms\n`,
  );
  expect(alarms, `seed ${seed}`).toEqual([]);
  expect(found / broken.length, `seed ${seed}`).toBeGreaterThan(0.9);
}, 300_000);
