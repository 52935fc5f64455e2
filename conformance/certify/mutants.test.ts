import { expect, test } from "vitest";
import { DYNAMIC } from "../requirements/registry.ts";
import { expectCaught } from "../testing/caught.ts";
import { judgedBy } from "../testing/mutants.ts";

// A few of those in conformance/testing/thorough/, where all are.
const LONG = 300_000;

test.each(["PKG-009-main-not-shipped", "LIFE-001-crash-at-import", "MOT-001-head-out-of-reach"])(
  "%s is caught, and for nothing else",
  expectCaught,
  LONG,
);

test(
  "an app with a page and one without meet what a first run shows",
  async () => {
    const shown = DYNAMIC.filter(({ scenes }) => scenes.every((scene) => scene === "first-run"));
    for (const app of ["hello_robot", "steady_app"]) {
      const judged = await judgedBy(shown, app);
      const unmet = judged.filter(({ judgement }) => judgement.status !== "pass" && judgement.status !== "skip");
      expect(unmet.map(({ judgement }) => judgement)).toEqual([]);
      expect(judged.filter(({ judgement }) => judgement.status === "pass").length).toBeGreaterThan(5);
    }
  },
  LONG,
);
