import fc from "fast-check";
import { expect, test } from "vitest";
import { exampleApp, exampleProblem, exampleRun } from "../testing/example-run.ts";
import { causeId, normalise } from "./causes.ts";
import { compareRuns, formatRunComparison } from "./compare-runs.ts";

const traceback = (app: string, line: number) =>
  `Traceback (most recent call last):\n  File "/home/ada/apps/${app}/${app}/main.py", line ${line}, in run\nKeyError: 'yaw'`;

test("apps that fail with the same traceback have one cause, whatever they are called", () => {
  const ids = ["one_app", "two_app"].map((app, at) =>
    causeId(exampleProblem({ message: `after ${at}.5 s`, traceback: traceback(app, 10 + at) }), app),
  );
  expect(ids[0]).toBe(ids[1]);
  const other = causeId(exampleProblem({ traceback: traceback("one_app", 10).replace("yaw", "roll") }), "one_app");
  const requirement = causeId(exampleProblem({ id: "LIFE-003", traceback: traceback("one_app", 10) }), "one_app");
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
  const before = exampleRun([
    exampleApp("steady"),
    exampleApp("one"),
    exampleApp("two"),
    exampleApp("fixed", [exampleProblem()]),
    exampleApp("gone"),
    exampleApp("lost"),
  ]);
  const broken = (app: string) => [exampleProblem({ id: "LIFE-003", traceback: traceback(app, 7) })];
  const after = exampleRun(
    [
      exampleApp("steady"),
      exampleApp("one", broken("one")),
      exampleApp("two", broken("two"), { digest: "sha256:00" }),
      exampleApp("fixed"),
      exampleApp("new"),
      exampleApp("lost", [], { verdict: "error" }),
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
  expect(formatRunComparison(comparison)).toContain("LIFE-003, 2 apps");
});

test.each([
  ["ended in an error", exampleApp("app", [], { verdict: "error" })],
  ["was not run", exampleApp("app", [exampleProblem({ id: "PKG-001" })], { notJudged: ["LIFE-003"] })],
])("a requirement that was not judged earlier, because the app %s, is not newly violated", (_, earlier) => {
  const now = exampleApp("app", [exampleProblem({ id: "LIFE-003" })]);
  const { causes, worse, better, other } = compareRuns(exampleRun([earlier]), exampleRun([now]));
  expect(causes).toEqual([]);
  expect([...worse, ...better, ...other].flatMap(({ broke }) => broke)).toEqual([]);
});

test("two equal runs have no changes", () => {
  const run = exampleRun([exampleApp("one"), exampleApp("two", [exampleProblem()])]);
  const { worse, better, other, causes } = compareRuns(run, run);
  expect([worse, better, other, causes]).toEqual([[], [], [], []]);
});
