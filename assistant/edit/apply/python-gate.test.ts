import fc from "fast-check";
import { expect, test } from "vitest";
import { COMPILE_CHECK, damagedPython } from "../testing/damaged-python.ts";
import { askPython } from "../testing/python.ts";
import { RUNS } from "../testing/runs.ts";
import { newPythonErrors, pythonErrors } from "./python-gate.ts";

test("it agrees with Python's own compiler on damaged source", async () => {
  const seed = fc.readConfigureGlobal()?.seed ?? Date.now();
  const texts = fc.sample(damagedPython, { numRuns: RUNS, seed });
  const verdicts = await askPython<string | null>(COMPILE_CHECK, texts);
  const missed: (string | null)[] = [];
  const alarms: string[] = [];
  for (const [at, text] of texts.entries()) {
    const faults = await pythonErrors(text);
    if (verdicts[at] !== null && faults.length === 0) missed.push(verdicts[at] ?? null);
    if (verdicts[at] === null && faults.length > 0) alarms.push(faults[0]?.message ?? "");
  }
  const broken = verdicts.filter((verdict) => verdict !== null).length;
  process.stdout.write(
    `python gate: ${broken - missed.length} of ${broken} broken files found, ${alarms.length} false alarms\n`,
  );
  expect(missed.length, `seed ${seed}: ${missed.join("\n")}`).toBeLessThanOrEqual(broken / 100);
  expect(alarms, `seed ${seed}`).toEqual([]);
}, 300_000);

test.each([
  ["return outside a function", "return 3\n"],
  ["break outside a loop", "for x in y:\n    def f():\n        break\n"],
  ["tabs and spaces that depend on a tab's width", "if x:\n        a()\n\tb()\n"],
  ["tabs and spaces within a block", "def f():\n\tif x:\n        y = 1\n"],
  ["a future import too late", "x = 1\nfrom __future__ import annotations\n"],
  ["a parameter twice", "def f(a, a): pass\n"],
  ["NUL", "x = 1\0\n"],
  ["an unfinished string", "'''abc\n"],
])("finds %s", async (_, text) => {
  expect(await pythonErrors(text)).not.toEqual([]);
});

test.each([
  ["a byte order mark", "\uFEFFx = 1\n"],
  ["tabs throughout", "def f():\n\tif x:\n\t\ty = 1\n\treturn\n"],
  ["tabs inside brackets", "def f():\n    x = (1,\n\t2)\n"],
  ["Windows line ends", "def f():\r\n    return 1\r\n"],
])("lets %s be", async (_, text) => {
  expect(await pythonErrors(text)).toEqual([]);
});

test("only errors that were not there before count", async () => {
  const broken = "def f(:\n    pass\n\nx = 1\n";
  expect(await newPythonErrors(broken, broken.replace("x = 1", "x = 2"))).toEqual([]);
  expect(await newPythonErrors(broken, `# moved\n${broken}`)).toEqual([]);
  expect(await newPythonErrors(broken, broken.replace("x = 1", "x = (1"))).not.toEqual([]);
  expect(await newPythonErrors("x = (1\n", "x = (1)\n")).toEqual([]);
});
