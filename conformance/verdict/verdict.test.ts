import { expect, test } from "vitest";
import { exampleVerdict } from "../testing/example-verdict.ts";
import { decide, type Outcome } from "./verdict.ts";

const verdictOf = (...outcomes: Outcome[]) =>
  exampleVerdict(Object.fromEntries(outcomes.map((outcome, at) => [`LIFE-00${at}`, outcome]))).verdict;

test.each<[Outcome[], string]>([
  [["pass", "warn", "not-applicable"], "conformant"],
  [["pass", "inconclusive"], "inconclusive"],
  [["pass", "flaky"], "inconclusive"],
  [["inconclusive", "error"], "error"],
  [["inconclusive", "error", "fail"], "not-conformant"],
])("%j gives %s", (outcomes, verdict) => {
  expect(verdictOf(...outcomes)).toBe(verdict);
});

test("a SHOULD that is inconclusive does not keep an app from being conformant", () => {
  const open = { level: "SHOULD", status: "inconclusive" } as const;
  expect(decide([{ level: "SHOULD", status: "pass" }, open])).toBe("conformant");
  // As --only and --replay judge it, when the app did not get that far.
  expect(decide([open, open])).toBe("inconclusive");
});

test("a SHOULD that could not be judged does not decide, unless nothing else was judged", () => {
  const error = { level: "SHOULD", status: "error" } as const;
  expect(decide([{ level: "MUST", status: "pass" }, error])).toBe("conformant");
  expect(decide([{ level: "MUST", status: "flaky" }, error])).toBe("inconclusive");
  expect(decide([{ level: "MUST", status: "error" }, error])).toBe("error");
  expect(decide([error, { level: "SHOULD", status: "inconclusive" }])).toBe("error");
  expect(decide([error, { level: "SHOULD", status: "not-applicable" }])).toBe("error");
});
