import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { replaceTable } from "./docs-tables.ts";
import { formatKillTable, type Row } from "./kill-table.ts";

const PAGE = readFileSync("docs/certifying-trust.md", "utf8");

test.each(["broken and good apps", "cheating apps"])(
  "docs/certifying-trust.md has a place for the table of %s",
  (name) => {
    const once = replaceTable(PAGE, name, "| a |");
    expect(replaceTable(once, name, "| a |")).toBe(once);
    expect(once).toContain("| a |\n<!-- end -->");
    expect(() => replaceTable("", name, "")).toThrow("has no place");
  },
);

test("the kill table names what was missed, what others violated and false alarms", () => {
  const row = (fields: Partial<Row>): Row => ({
    ...{
      name: "LIFE-003-exits-with-3",
      kind: "mutant",
      repetition: 1,
      violated: ["LIFE-003"],
      problem: null,
      duration: 1,
    },
    app: "",
    ...fields,
  });
  const text = formatKillTable([
    row({}),
    row({ name: "LIFE-003-sleeps-too-long", violated: [], problem: "LIFE-003 is pass (a | b)" }),
    row({ name: "MOT-003-child-moves-the-robot-after-it", violated: ["MOT-003", "LIFE-006"] }),
    row({ name: "steady_app", kind: "good", violated: [] }),
    row({ name: "steady_app", kind: "good", repetition: 2, violated: ["RES-004"], problem: "RES-004 is warn" }),
  ]);
  expect(text).toContain("and no other one: 2 of 3. Not run:");
  expect(text).toContain("| LIFE-003 | exits-with-3 | sleeps-too-long: LIFE-003 is pass (a \\| b) |");
  expect(text).toContain(
    "| MOT-003 | child-moves-the-robot-after-it | child-moves-the-robot-after-it: LIFE-006, which follows from it |",
  );
  expect(text).toContain("False alarms: 1 in 2 runs of 1 good apps.");
  expect(text).toContain("| steady_app | 2 | 1 | RES-004 is warn |");
});
