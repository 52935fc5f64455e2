import { expect, test } from "vitest";
import { exampleVerdict } from "../../testing/sample.ts";
import { gradesOf, groupResults } from "./grades.ts";

const verdict = exampleVerdict();

test("functionality and stopping are graded separately, each by its worst status", () => {
  const { functionality, stopping } = gradesOf(verdict);
  expect(stopping).toEqual({ status: "fail", must: { passed: 2, of: 3 }, should: { passed: 0, of: 0 } });
  expect(functionality).toEqual({ status: "error", must: { passed: 7, of: 8 }, should: { passed: 1, of: 4 } });
});

test("requirements that do not apply count for nothing", () => {
  const results = verdict.results.filter(({ id }) => id === "UI-001" || id === "LIFE-004");
  expect(gradesOf({ results }).functionality).toEqual({
    status: "not-applicable",
    must: { passed: 0, of: 0 },
    should: { passed: 0, of: 0 },
  });
  expect(gradesOf({ results }).stopping.status).toBe("pass");
});

test("groups have a fixed order, unknown ones come last", () => {
  const unknown = verdict.results.slice(0, 1).map((each) => ({ ...each, id: "AUD-001" }));
  const groups = groupResults([...unknown, ...verdict.results.toReversed()]);
  expect(groups.map(({ prefix }) => prefix)).toEqual(["PKG", "LIFE", "MOT", "UI", "RES", "AUD"]);
});
