import fc from "fast-check";
import { expect, test } from "vitest";
import { LineSplitter, MAX_LINE } from "./line-splitter.ts";

const text = fc
  .array(fc.oneof(fc.constantFrom("\n", "\r", "\r\n", "é", "🤖", "x"), fc.string({ maxLength: 5 })))
  .map((pieces) => pieces.join(""));

function split(bytes: Buffer, cuts: readonly number[]): string[] {
  const splitter = new LineSplitter();
  const places = [0, ...cuts.map((cut) => cut % (bytes.length + 1)).sort((one, other) => one - other), bytes.length];
  const lines = places.slice(1).flatMap((end, index) => splitter.push(bytes.subarray(places[index], end)));
  return [...lines, ...splitter.end()];
}

test("lines do not depend on where chunks are cut, even inside a character or between \\r and \\n", () => {
  fc.assert(
    fc.property(text, fc.array(fc.nat()), (whole, cuts) => {
      const lines = whole.split(/\r\n|\n|\r/);
      if (lines.at(-1) === "") lines.pop();
      expect(split(Buffer.from(whole), cuts)).toEqual(lines);
    }),
  );
});

test("a line that never ends is cut and never buffered whole", () => {
  const splitter = new LineSplitter();
  const chunk = Buffer.from("x".repeat(65_536));
  for (let count = 0; count < 16; count += 1) {
    expect(splitter.push(chunk).every((line) => line.length === MAX_LINE)).toBe(true);
  }
  expect(splitter.end()).toEqual(["x".repeat(MAX_LINE)]);
});
