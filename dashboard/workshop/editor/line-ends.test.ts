import { EditorState } from "@codemirror/state";
import fc from "fast-check";
import { expect, test } from "vitest";
import { changeBetween, lineSeparatorOf, withLineEnds } from "./line-ends.ts";

test.each([
  ["a\nb\n", "\n"],
  ["a\r\nb\r\n", "\r\n"],
  ["a\r\nb\n", "\n"],
  ["\na\r\n", "\n"],
  ["a\rb\r\n", "\n"],
  ["a", "\n"],
])("%j has lines that end in %j", (text, separator) => {
  expect(lineSeparatorOf(text)).toBe(separator);
});

test.each(["\n", "\r\n"])(
  "a text becomes another one by the part that differs, with lines that end in %j",
  (separator) => {
    const text = fc.array(fc.constantFrom("a", "b", separator), { maxLength: 12 }).map((parts) => parts.join(""));
    fc.assert(
      fc.property(text, text, (before, after) => {
        const state = EditorState.create({ doc: before, extensions: EditorState.lineSeparator.of(separator) });
        const changed = state.update({ changes: changeBetween(before, after, separator) }).state;
        expect(changed.sliceDoc()).toBe(after);
      }),
    );
  },
);

test("a change leaves what is before and after it", () => {
  expect(changeBetween("a\r\nb\r\nc\r\n", "a\r\nx\r\nc\r\n", "\r\n")).toEqual({ from: 2, to: 3, insert: "x" });
  expect(changeBetween("a\r\nc\r\n", "a\r\nb\r\nc\r\n", "\r\n")).toMatchObject({ insert: expect.stringMatching("b") });
});

test("a text from the clipboard takes the line ends of the file", () => {
  expect(withLineEnds("a\r\nb\nc\r", "\n")).toBe("a\nb\nc\n");
  expect(withLineEnds("a\r\nb\n", "\r\n")).toBe("a\r\nb\r\n");
});
