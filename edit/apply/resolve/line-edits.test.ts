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

test("lines are appended at the end, and removed with their line end", () => {
  expect(edited("a\nb", 2, 2, "x", "y")).toBe("a\nb\nx\ny");
  expect(edited("a\r\nb", 1, 2)).toBe("a");
  expect(edited("a\nb\nc", 1, 2)).toBe("a\nc");
});
