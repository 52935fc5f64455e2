import { expect, test } from "vitest";
import { verdictBadge } from "./verdict-badge.ts";

test("an app without a verdict is not certified", () => {
  expect(verdictBadge(null)).toEqual({ text: "Not certified", tone: "neutral" });
});

test.each([
  ["conformant", "Conformant", "good"],
  ["not-conformant", "Not conformant", "bad"],
  ["inconclusive", "Inconclusive", "neutral"],
  ["error", "Not judged: the certification failed", "neutral"],
] as const)("the verdict %s is good or bad only of the files that are installed", (verdict, text, tone) => {
  expect(verdictBadge({ verdict, of_installed: true })).toEqual({ text, tone });
  expect(verdictBadge({ verdict, of_installed: false })).toEqual({ text, tone: "neutral" });
});
