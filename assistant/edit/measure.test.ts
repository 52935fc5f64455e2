import { expect, test } from "vitest";
import { measureEdits } from "./measure.ts";

test("every figure of the bench is measured with the given clock", async () => {
  let ticks = 0;
  const figures = await measureEdits(() => ticks++);
  expect(figures).toHaveLength(10);
  expect(figures.at(-1)).toEqual({ what: "sr: search in a file 4 times as long takes", value: "1.0 times as long" });
  for (const { value } of figures) expect(value).toMatch(/^\d+(\.\d)? \S/);
});
