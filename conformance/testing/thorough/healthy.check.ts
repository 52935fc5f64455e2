import { expect, test } from "vitest";
import { DYNAMIC } from "../../requirements/registry.ts";
import { judgedBy } from "../mutants.ts";

test.each(["hello_robot", "steady_app", "sleepy_app", "brief_app"])("%s meets everything", async (app) => {
  const judged = await judgedBy(DYNAMIC, app);
  const unmet = judged.filter(({ judgement }) => judgement.status !== "pass" && judgement.status !== "skip");
  expect(unmet.map(({ judgement }) => judgement)).toEqual([]);
});
