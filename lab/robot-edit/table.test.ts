import { expect, test } from "vitest";
import { formatTable, type Row, rowKey } from "./table.ts";

const row: Row = {
  ...{ name: "PKG-001-a", model: "m", task: "digest", format: "sr", instruct: false },
  ...{ outcome: "passed", detail: "", tokens: 10, seconds: 1, judged: 5 },
};

test("rows are of one task and way of asking when name, model, format and digest are the same", () => {
  expect(rowKey({ ...row, outcome: "failed", seconds: 9 } as Row)).toBe(rowKey(row));
  const others = [{ name: "b" }, { model: "n" }, { task: "other" }, { format: "wf" as const }, { instruct: true }];
  expect(new Set([row, ...others.map((other) => ({ ...row, ...other }))].map(rowKey)).size).toBe(6);
  // With instructions, the format that the model was trained for makes no difference.
  expect(rowKey({ ...row, instruct: true, format: "wf" })).toBe(rowKey({ ...row, instruct: true }));
});

test("pass@1 and averages are of the tasks that were asked and judged, by model and format", () => {
  const outcomes = ["passed", "failed", "refused", "no change", "no answer", "not judged", "left out"] as const;
  const rows = outcomes.map((outcome, index) => ({
    ...row,
    outcome,
    seconds: index,
    tokens: index > 3 ? null : 10 * index,
  }));
  const [, , mixed, other, end] = formatTable([...rows, { ...row, instruct: true }]).split("\n");
  expect(mixed).toBe("| m | sr | 7 | 1 | 1 | 1 | 1 | 1 | 1 | 1 | 20.0 % | 15 | 2.0 |");
  expect(other).toBe("| m | instructed | 1 | 1 | 0 | 0 | 0 | 0 | 0 | 0 | 100.0 % | 10 | 1.0 |");
  expect(end).toBe("");
  expect(formatTable([{ ...row, outcome: "not judged", tokens: null }])).toContain("| 1 | 0 |  |  |  |");
});
