import { expect, test } from "vitest";
import { exampleApp, exampleProblem } from "../testing/example-run.ts";
import { type Selection, selectRows } from "./rows.ts";

const APPS = [
  exampleApp("beta", [exampleProblem()], { cost: { seconds: 5, cpuSeconds: 9, memoryBytes: 0, diskBytes: 0 } }),
  exampleApp("alpha"),
  exampleApp("gamma", [], { verdict: "error", cost: null }),
];
const ALL: Selection = { text: "", verdict: null, sort: "name", descending: false };
const names = (changes: Partial<Selection>) => selectRows(APPS, { ...ALL, ...changes }).map(({ name }) => name);

test.each<[Partial<Selection>, string[]]>([
  [{}, ["alpha", "beta", "gamma"]],
  [{ descending: true }, ["gamma", "beta", "alpha"]],
  [{ sort: "seconds" }, ["gamma", "beta", "alpha"]],
  [{ sort: "cpu", descending: true }, ["beta", "alpha", "gamma"]],
  [{ sort: "problems", descending: true }, ["beta", "alpha", "gamma"]],
  [{ verdict: "error" }, ["gamma"]],
  [{ text: "life-001 daemon" }, ["beta"]],
  [{ text: "life-002" }, []],
])("%j shows %j", (changes, expected) => {
  expect(names(changes)).toEqual(expected);
});
