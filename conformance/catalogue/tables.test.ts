import { expect, test } from "vitest";
import { compareRuns } from "./compare/compare-runs.ts";
import { catalogueMarkdown, cataloguePage } from "./tables.ts";
import { exampleApp, exampleProblem, exampleRun } from "./testing/example-run.ts";

const HOSTILE = "</td></table><script>alert(1)</script> | a cell\n# a title";
const before = exampleRun([exampleApp("maker/broke"), exampleApp("fixed", [exampleProblem()]), exampleApp("same")]);
const run = exampleRun(
  [
    exampleApp("maker/broke", [exampleProblem({ id: "LIFE-003", message: HOSTILE })]),
    exampleApp("fixed"),
    exampleApp("same"),
  ],
  "2030-01-02T00:00:00.000Z",
);
const compared = { run, comparison: compareRuns(before, run) };

test("the tables have each app, what was found, and what changed", () => {
  const lines = catalogueMarkdown(compared).split("\n");
  expect(lines[0]).toBe("# 3 apps, 2 conformant, 1 not-conformant");
  expect(lines.filter((line) => line.startsWith("## "))).toEqual([
    ...["## Worse since 2030-01-01 00:00 UTC", "## Better since 2030-01-01 00:00 UTC", "## Causes", "## Apps"],
  ]);
  expect(lines).toContain("| fixed | not-conformant | conformant |  | no |");
  expect(lines.filter((line) => line.startsWith("| maker/broke | not-conformant | LIFE-003: "))).toHaveLength(1);
});

test("without an earlier run there is the table of the apps alone", () => {
  expect(catalogueMarkdown({ run, comparison: null }).match(/^## .*/gm)).toEqual(["## Apps"]);
});

test("no text of an app is markup", async () => {
  const page = await cataloguePage(compared);
  expect(page.match(/<script/g)).toHaveLength(1); // the frame's own, which is empty
  expect(page.match(/<table>/g)).toHaveLength(4);
  expect(page).toContain("&lt;script&gt;alert(1)");
  expect(catalogueMarkdown(compared)).not.toMatch(/<script|^# a title|[^\\]\| a cell/m);
});
