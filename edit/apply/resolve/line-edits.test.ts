import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { PROPERTY_RUNS } from "../../../common/testing/property-runs.ts";
import { linesOf } from "../../text/lines.ts";
import { spliceText } from "../splice.ts";
import { type LineEdit, toSplices } from "./line-edits.ts";

/** A text after its lines `[start, end)` are replaced. */
const edited = (text: string, start: number, end: number, ...lines: string[]): string =>
  spliceText(text, toSplices(linesOf(text), [{ start, end, lines }]));

describe("new lines in a file with both kinds of line ends", () => {
  const MIXED = "a\r\nb\nc\r\n";

  test("take the end of the line that they replace", () => {
    expect(edited(MIXED, 0, 1, "x", "y")).toBe("x\r\ny\r\nb\nc\r\n");
    expect(edited(MIXED, 1, 2, "x", "y")).toBe("a\r\nx\ny\nc\r\n");
  });

  test('are taken literally when the answer has "\\r"', () => {
    expect(edited(MIXED, 0, 2, "x", "y\r")).toBe("x\ny\r\nc\r\n");
  });
});

test("a file with one kind of line end keeps it", () => {
  expect(edited("a\r\nb\r\n", 0, 1, "x\r", "y")).toBe("x\r\ny\r\nb\r\n");
  expect(edited("a\nb\n", 1, 1, "x")).toBe("a\nx\nb\n");
});

test("splices are disjoint, and give what replacing the lines from the last edit to the first gives", () => {
  const change = fc.record({
    gap: fc.nat(1),
    size: fc.nat(2),
    lines: fc.array(fc.constantFrom<string>("x", "y"), { maxLength: 2 }),
  });
  const file = fc.array(fc.constantFrom<string>("a", "b", ""), { minLength: 2, maxLength: 7 });
  const property = fc.property(file, fc.constantFrom("\n", "\r\n"), fc.array(change), (lines, lineEnd, changes) => {
    const edits: LineEdit[] = [];
    let free = 0;
    for (const { gap, size, lines: added } of changes) {
      const [start, end] = [free + gap, free + gap + size];
      if (end > lines.length || (size === 0 && added.length === 0)) continue;
      edits.push({ start, end, lines: added });
      free = size === 0 ? end + 1 : end;
    }
    const text = lines.join(lineEnd);
    const splices = toSplices(linesOf(text), edits);
    for (const [at, { start }] of splices.entries()) expect(start).toBeGreaterThanOrEqual(splices[at - 1]?.stop ?? 0);
    const expected = [...edits].reverse().reduce((rest, { start, end, lines: added }) => {
      return rest.toSpliced(start, end - start, ...added);
    }, lines);
    expect(spliceText(text, splices)).toBe(expected.join(lineEnd));
  });
  fc.assert(property, { numRuns: 10 * PROPERTY_RUNS });
});

test("lines are appended at the end, and removed with their line end", () => {
  expect(edited("a\nb", 2, 2, "x", "y")).toBe("a\nb\nx\ny");
  expect(edited("a\r\nb", 1, 2)).toBe("a");
  expect(edited("a\nb\nc", 1, 2)).toBe("a\nc");
});
