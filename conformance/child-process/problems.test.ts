import { expect, test } from "vitest";
import { exampleVerdict } from "../testing/example-verdict.ts";
import type { TestRun } from "../verdict/verdict.ts";
import { lastTraceback, notJudgedOf, problemsOf } from "./problems.ts";

const LINES = [
  "starting",
  "Traceback (most recent call last):",
  '  File "main.py", line 1, in <module>',
  "OldError",
  "Traceback (most recent call last):",
  '  File "main.py", line 2, in <module>',
  "    import nothing",
  "ModuleNotFoundError: No module named 'nothing'",
  "ended",
];

test("the last traceback ends with its exception", () => {
  expect(lastTraceback(LINES)).toBe(LINES.slice(4, 8).join("\n"));
  expect(lastTraceback(LINES.slice(0, 7))).toBe(LINES.slice(4, 7).join("\n"));
  expect(lastTraceback(["nothing"])).toBeNull();
});

test("the traceback of an exception group is whole, with those of its exceptions", () => {
  const group = [
    "  + Exception Group Traceback (most recent call last):",
    '  |   File "main.py", line 6, in <module>',
    "  | ExceptionGroup: two failed (1 sub-exception)",
    "  +-+---------------- 1 ----------------",
    "    | Traceback (most recent call last):",
    '    |   File "main.py", line 4, in <module>',
    "    | ValueError: 0",
    "    +------------------------------------",
  ];
  expect(lastTraceback(["starting", ...group, "ended"])).toBe(group.join("\n"));
  expect(lastTraceback(["starting", ...group])).toBe(group.join("\n"));
});

test("a long traceback is cut at its beginning: its end has the exception", () => {
  const frames = Array.from({ length: 500 }, () => '  File "main.py", line 1, in call');
  const traceback = lastTraceback(["Traceback (most recent call last):", ...frames, "RecursionError: too deep"]);
  expect(traceback?.length).toBe(4000);
  expect(traceback).toMatch(/RecursionError: too deep$/);
});

test("requirements that were not judged are listed, with those that have no result because the app was not run", () => {
  const { results } = exampleVerdict({ A: "fail", B: "not-applicable", C: "inconclusive", D: "error", E: "pass" });
  expect(notJudgedOf({ only: null, results })).toEqual(["C", "D"]);
  expect(notJudgedOf({ only: ["A", "C", "F"], results })).toEqual(["C", "F"]);
});

test("what could not be judged is shown only where no MUST is violated", () => {
  const idsOf = (outcomes: Parameters<typeof exampleVerdict>[0]) =>
    problemsOf(exampleVerdict(outcomes)).map(({ id, status }) => `${id} ${status}`);
  expect(idsOf({ A: "pass", B: "warn", C: "inconclusive", D: "not-applicable" })).toEqual(["B warn", "C inconclusive"]);
  expect(idsOf({ A: "fail", B: "warn", C: "inconclusive" })).toEqual(["A fail", "B warn"]);
});

test("a problem is replayable when a test run of the requirement shows it, not when only files do", () => {
  const { results } = exampleVerdict({ A: "fail", B: "fail" });
  const [a, b] = results.map((result, index) => ({ ...result, testRuns: index === 0 ? ["stop"] : [] }));
  const testRuns = [{ id: "stop", log: [] as TestRun["log"] } as TestRun];
  const problems = problemsOf({ results: [a, b].filter((result) => result !== undefined), testRuns });
  expect(problems.map(({ id, replayable }) => `${id} ${replayable}`)).toEqual(["A true", "B false"]);
});
