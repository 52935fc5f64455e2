import { expect, test } from "vitest";
import { sampleVerdict } from "../../testing/sample.ts";
import { gradesOf, groupsOf } from "./grades.ts";

const verdict = sampleVerdict();

test("function and stopping are graded apart, each by the worst that was found", () => {
  const { doing, stopping } = gradesOf(verdict);
  expect(stopping).toEqual({ status: "fail", must: { met: 2, of: 3 }, should: { met: 0, of: 0 } });
  expect(doing).toEqual({ status: "error", must: { met: 7, of: 8 }, should: { met: 2, of: 4 } });
});

test("what could not be told counts for nothing", () => {
  const results = verdict.results.filter(({ id }) => id === "UI-001" || id === "LIFE-004");
  expect(gradesOf({ results }).doing).toEqual({ status: "skip", must: { met: 0, of: 0 }, should: { met: 0, of: 0 } });
  expect(gradesOf({ results }).stopping.status).toBe("pass");
});

test("requirements stand in the order of their life, those of an unknown kind at the end", () => {
  const unknown = verdict.results.slice(0, 1).map((each) => ({ ...each, id: "AUD-001" }));
  const groups = groupsOf([...unknown, ...verdict.results.toReversed()]);
  expect(groups.map(({ prefix }) => prefix)).toEqual(["PKG", "LIFE", "MOT", "UI", "RES", "AUD"]);
});
