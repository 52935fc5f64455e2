import { expect, test } from "vitest";
import { DYNAMIC } from "../requirements/registry.ts";
import { expectKilled } from "./expect-killed.ts";
import { judgeApp } from "./mutants.ts";

// A few of those in conformance/testing/thorough/, where all are.
const LONG = 300_000;

test.each([
  "PKG-009-main-not-shipped",
  "LIFE-001-crash-at-import",
  "LIFE-003-own-wrapped-run-ignores-sigint",
  "UI-004-trusts-the-number",
  "RES-003-freezes",
])("%s fails its requirement and no other one", expectKilled, LONG);

test(
  "an app with a page and one without meet what a first run shows",
  async () => {
    const shown = DYNAMIC.filter(({ testRuns }) => testRuns.every((testRun) => testRun === "first-run"));
    for (const app of ["hello_robot", "steady_app"]) {
      const judged = await judgeApp(shown, app);
      const unmet = judged.filter(({ judgement }) => !["pass", "not-applicable"].includes(judgement.status));
      expect(unmet.map(({ judgement }) => judgement)).toEqual([]);
      expect(judged.filter(({ judgement }) => judgement.status === "pass").length).toBeGreaterThan(5);
    }
  },
  LONG,
);
