import fc from "fast-check";
import { expect, test } from "vitest";
import { askPython } from "../testing/ask-python.ts";
import { PROPERTY_RUNS } from "../testing/property-runs.ts";
import { parseModule } from "./parse-module.ts";
import { lowestPython, PYTHON_VERSIONS, type PythonVersion } from "./project/python-version.ts";
import { pythonSyntaxErrors } from "./syntax-errors.ts";
import { COMPILE_CHECK, damagedPython } from "./testing/damaged-python.ts";

test("it agrees with Python's own compiler on damaged source", async () => {
  const seed = fc.readConfigureGlobal()?.seed ?? Date.now();
  const texts = fc.sample(damagedPython, { numRuns: PROPERTY_RUNS, seed });
  const verdicts = await askPython<string | null>(COMPILE_CHECK, texts);
  const missed: (string | null)[] = [];
  const falseAlarms: string[] = [];
  for (const [at, text] of texts.entries()) {
    const [error] = pythonSyntaxErrors(text);
    if (verdicts[at] !== null && error === undefined) missed.push(verdicts[at] ?? null);
    if (verdicts[at] === null && error !== undefined) falseAlarms.push(error.message);
  }
  const broken = verdicts.filter((verdict) => verdict !== null).length;
  process.stdout.write(
    `python syntax: ${broken - missed.length} of ${broken} broken files found, ${falseAlarms.length} false alarms\n`,
  );
  expect(missed.length, `seed ${seed}: ${missed.join("\n")}`).toBeLessThanOrEqual(broken / 100);
  expect(falseAlarms, `seed ${seed}`).toEqual([]);
});

test.each([
  ["return outside a function", "return 3\n"],
  ["break outside a loop", "for x in y:\n    def f():\n        break\n"],
  ["tabs and spaces that depend on a tab's width", "if x:\n        a()\n\tb()\n"],
  ["tabs and spaces within a block", "def f():\n\tif x:\n        y = 1\n"],
  ["a future import after a statement", "x = 1\nfrom __future__ import annotations\n"],
  ["a parameter twice", "def f(a, a): pass\n"],
  ["NUL", "x = 1\0\n"],
  ["an unfinished string", "'''abc\n"],
])("finds %s", (_, text) => {
  expect(pythonSyntaxErrors(text)).not.toEqual([]);
});

test.each([
  ["a byte order mark", "\uFEFFx = 1\n"],
  ["tabs throughout", "def f():\n\tif x:\n\t\ty = 1\n\treturn\n"],
  ["tabs inside brackets", "def f():\n    x = (1,\n\t2)\n"],
  ["Windows line ends", "def f():\r\n    return 1\r\n"],
  ["form feeds", "x = 1\n\f\ndef f():\n\f    return 1\n"],
])("accepts %s", (_, text) => {
  expect(pythonSyntaxErrors(text)).toEqual([]);
});

test("an error has the line that it is on", () => {
  expect(pythonSyntaxErrors("x = 1\nreturn\n")).toEqual([{ line: 2, message: expect.stringContaining("return") }]);
});

test("a text that the parser has no stack for is an error, and the next one is parsed as before", () => {
  expect(pythonSyntaxErrors(`x = ${"[".repeat(50_000)}`)).toEqual([
    { line: 1, message: expect.stringContaining("nested too deeply") },
  ]);
  expect(pythonSyntaxErrors("x = 1\n".repeat(1000))).toEqual([]);
  expect(parseModule("x = (")).toMatchObject({ error: { line: 1 } });
});

/** Syntax that not all versions have, with the first that has it, as `python3.N -c` of each says. */
const SYNTAX: readonly (readonly [PythonVersion, string])[] = [
  ["3.10", "match x:\n    case [1, *_] if y: pass\n"],
  ["3.10", "with (open(a) as b, open(c) as d): pass\n"],
  ["3.11", "try: pass\nexcept* E: pass\n"],
  ["3.11", "x[*a]\n"],
  ["3.11", "def f(*args: *T): pass\n"],
  ["3.12", "print(f'{a['x']}')\n"],
  ["3.12", "print(f'{x:{'>'}}')\n"],
  ["3.12", 'print(f"{chr(10).join(["\\n"])}")\n'],
  ["3.12", "print(f'{\n1}')\n"],
  ["3.12", "type X = int\n"],
  ["3.12", "def f[T](x: T) -> T: pass\n"],
  ["3.12", "class A[T]: pass\n"],
  ["3.13", "class A[T = int]: pass\n"],
  ["3.13", "type X[T = int] = list[T]\n"],
  ["3.14", "try: pass\nexcept A, B: pass\n"],
  ["3.14", "t'{x}'\n"],
];

test.each(SYNTAX)("from Python %s on: %j", (first, text) => {
  const accepting = PYTHON_VERSIONS.filter((version) => pythonSyntaxErrors(text, version).length === 0);
  expect(accepting).toEqual(PYTHON_VERSIONS.slice(PYTHON_VERSIONS.indexOf(first)));
});

test.each([
  [null, "3.10"],
  ["", "3.10"],
  [">=3.10", "3.10"],
  [">=3.12,<4", "3.12"],
  ["~=3.11", "3.11"],
  [">3.10", "3.10"],
  [">=3.10.7", "3.10"],
  ["==3.13.*", "3.13"],
  ["!=3.10.*,!=3.11.*", "3.12"],
  [">=3.8", "3.10"],
  ["<3.10", "3.10"],
  [">=3.20", "3.10"],
  ["^3.12", "3.10"],
])("requires-python %j: the syntax of %s counts", (specifier, version) => {
  expect(lowestPython(specifier)).toBe(version);
});
