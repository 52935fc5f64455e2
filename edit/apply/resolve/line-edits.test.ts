import { describe, expect, test } from "vitest";
import { linesOf } from "../../text/lines.ts";
import { spliceText } from "../splice.ts";
import { toSplices } from "./line-edits.ts";

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

test("splices are disjoint, also where an edit is right above the removal of the last lines", () => {
  const splicesOf = (text: string, ...edits: [number, number, ...string[]][]) =>
    toSplices(
      linesOf(text),
      edits.map(([start, end, ...lines]) => ({ start, end, lines })),
    );
  for (const text of ["a\nb\nc", "a\r\nb\r\nc", "a\r\nb\nc"])
    for (const edits of [
      [
        [1, 2],
        [2, 3],
      ],
      [
        [1, 1, "x"],
        [1, 3],
      ],
      [
        [0, 1, "x"],
        [1, 2],
        [2, 3],
      ],
    ] as [number, number, ...string[]][][]) {
      const splices = splicesOf(text, ...edits);
      for (const [at, { start }] of splices.entries()) expect(start).toBeGreaterThanOrEqual(splices[at - 1]?.stop ?? 0);
    }
  const result = (...edits: [number, number, ...string[]][]) => spliceText("a\nb\nc", splicesOf("a\nb\nc", ...edits));
  expect(result([1, 2], [2, 3])).toBe("a");
  expect(result([2, 2, "x"], [2, 3])).toBe("a\nb\nx");
  expect(result([1, 2, "x"], [2, 3])).toBe("a\nx");
});

test("lines are appended at the end, and removed with their line end", () => {
  expect(edited("a\nb", 2, 2, "x", "y")).toBe("a\nb\nx\ny");
  expect(edited("a\r\nb", 1, 2)).toBe("a");
  expect(edited("a\nb\nc", 1, 2)).toBe("a\nc");
});
