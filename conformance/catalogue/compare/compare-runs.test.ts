import fc from "fast-check";
import { expect, test } from "vitest";
import { sampleApp, sampleProblem, sampleRun } from "../testing/sample-run.ts";
import { causeId, normalise } from "./causes.ts";
import { compareRuns, formatComparison } from "./compare-runs.ts";

const traceback = (app: string, line: number) =>
  `Traceback (most recent call last):\n  File "/home/ada/apps/${app}/${app}/main.py", line ${line}, in run\nKeyError: 'yaw'`;

test("apps that fail with the same traceback have one cause, whatever they are called", () => {
  const ids = ["one_app", "two_app"].map((app, at) =>
    causeId(sampleProblem({ message: `after ${at}.5 s`, traceback: traceback(app, 10 + at) }), app),
  );
  expect(ids[0]).toBe(ids[1]);
  const other = causeId(sampleProblem({ traceback: traceback("one_app", 10).replace("yaw", "roll") }), "one_app");
  const requirement = causeId(sampleProblem({ id: "LIFE-003", traceback: traceback("one_app", 10) }), "one_app");
  expect(new Set([ids[0], other, requirement]).size).toBe(3);
});

test.each([
  ["robot", "ModuleNotFoundError: robot_sdk", "ModuleNotFoundError: robot_sdk"],
  ["robot", "robot: robot.main, not microrobot", "APP: APP.main, not microrobot"],
  ["my-app", "my-app and my_app", "APP and APP"],
  ["a.b", "a.b and axb", "APP and axb"],
])("the name %s is replaced in %j only as a whole word", (app, text, normal) => {
  expect(normalise(text, app)).toBe(normal);
});

test("a normal form has no number and no folder, and is its own normal form", () => {
  fc.assert(
    fc.property(fc.string(), fc.nat(), (text, number) => {
      const normal = normalise(`${text} /tmp/a/${number}/main.py ${number}`, "my_app");
      expect(normal).not.toMatch(/\d/);
      expect(normalise(normal, "my_app")).toBe(normal);
    }),
  );
});

test("groups new failures by requirement and cause, and says whether the app's files changed", () => {
  const before = sampleRun([
    sampleApp("steady"),
    sampleApp("one"),
    sampleApp("two"),
    sampleApp("fixed", [sampleProblem()]),
    sampleApp("gone"),
    sampleApp("lost"),
  ]);
  const broken = (app: string) => [sampleProblem({ id: "LIFE-003", traceback: traceback(app, 7) })];
  const after = sampleRun(
    [
      sampleApp("steady"),
      sampleApp("one", broken("one")),
      sampleApp("two", broken("two"), { digest: "sha256:00" }),
      sampleApp("fixed"),
      sampleApp("new"),
      sampleApp("lost", [], { verdict: "error" }),
    ],
    "2030-01-02T00:00:00.000Z",
  );
  const comparison = compareRuns(before, after);
  expect(comparison.worse.map(({ name, broke, filesChanged }) => [name, broke, filesChanged])).toEqual([
    ["one", ["LIFE-003"], false],
    ["two", ["LIFE-003"], true],
  ]);
  expect(comparison.better.map(({ name }) => name)).toEqual(["fixed"]);
  expect(comparison.other.map(({ name }) => name)).toEqual(["lost"]);
  expect([comparison.appeared, comparison.vanished]).toEqual([["new"], ["gone"]]);
  expect(comparison.causes.map(({ requirement, apps }) => [requirement, apps])).toEqual([["LIFE-003", ["one", "two"]]]);
  expect(formatComparison(comparison)).toContain("LIFE-003, 2 apps");
});

test.each([
  ["ended in an error", sampleApp("app", [], { verdict: "error" })],
  ["was quarantined", sampleApp("app", [], { verdict: "quarantined" })],
  ["was not run", sampleApp("app", [sampleProblem({ id: "PKG-001" })], { notJudged: ["LIFE-003"] })],
])("a requirement that was not judged earlier, because the app %s, is not newly violated", (_, earlier) => {
  const now = sampleApp("app", [sampleProblem({ id: "LIFE-003" })]);
  const { causes, worse, better, other } = compareRuns(sampleRun([earlier]), sampleRun([now]));
  expect(causes).toEqual([]);
  expect([...worse, ...better, ...other].flatMap(({ broke }) => broke)).toEqual([]);
});

test("two equal runs have no changes", () => {
  const run = sampleRun([sampleApp("one"), sampleApp("two", [sampleProblem()])]);
  const { worse, better, other, causes } = compareRuns(run, run);
  expect([worse, better, other, causes]).toEqual([[], [], [], []]);
});
