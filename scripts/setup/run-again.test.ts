import { expect, it } from "vitest";
import { mergeRuns } from "./run-again.mjs";
import { nothing } from "./test-reports.mjs";

const failure = (title: string, file = "a.test.ts") => ({ file, title, message: "no" });
const test = (title: string) => ({ name: `a.test.ts: ${title}`, seconds: 1 });
const first = (...titles: string[]) => ({
  ...nothing(),
  passed: 10,
  failed: titles.length,
  failures: titles.map((title) => failure(title)),
});

it("counts what passed in the second run, and says how it had failed", () => {
  const second = { ...nothing(), passed: 1, failed: 1, failures: [failure("y")], tests: [test("x"), test("y")] };
  const { result, passed } = mergeRuns(first("x", "y"), second);
  expect(passed).toEqual([failure("x")]);
  expect(result).toMatchObject({ passed: 11, failed: 1, failures: [failure("y")] });
});

it("keeps a failure whose file had no tests in the second run: it crashed, or did not load", () => {
  const crash = { ...nothing(), failed: 1, failures: [failure("exit code 1", "vitest")] };
  expect(mergeRuns(crash, nothing())).toEqual({ result: crash, passed: [] });
});

it("adds what fails in the second run only", () => {
  const second = { ...nothing(), failed: 1, failures: [failure("z")], tests: [test("x"), test("z")] };
  expect(mergeRuns(first("x"), second).result).toMatchObject({ passed: 10, failed: 1, failures: [failure("z")] });
});
