import { expect, test } from "vitest";
import { DYNAMIC } from "../requirements/registry.ts";
import { judgeApp } from "./mutants.ts";

test("an app with a page and one without meet what a first run shows", async () => {
  const shown = DYNAMIC.filter(({ testRuns }) => testRuns.every((testRun) => testRun === "first-run"));
  for (const app of ["hello_robot", "steady_app"]) {
    const judged = await judgeApp(shown, app);
    const unmet = judged.filter(({ judgement }) => !["pass", "not-applicable"].includes(judgement.status));
    expect(unmet.map(({ judgement }) => judgement)).toEqual([]);
    expect(judged.filter(({ judgement }) => judgement.status === "pass").length).toBeGreaterThan(5);
  }
});
