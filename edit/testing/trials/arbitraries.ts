import fc from "fast-check";

/** Lines that look like syntax of the formats: fences, range lines, parts of tokens, numbers, unusual characters. */
const line = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom("x = 1", "    return x", "\treturn x", "", "  ", "def f(x):", "a", "b") },
  { weight: 2, arbitrary: fc.constantFrom("```", "```python", "```text", "1,1", "2,3", "0,0", "    ```", "````") },
  {
    weight: 1,
    arbitrary: fc.constantFrom("<|next_end", "|im_end|>", "<||>", "1 x", "é😀\u2028x", "\u0085", "a\rb", "\uFEFF"),
  },
  { weight: 1, arbitrary: fc.string({ unit: "binary", maxLength: 8 }).map((text) => text.replaceAll("\n", "")) },
);

/** Any text: with one or both kinds of line ends, with or without final newline and byte order mark, or empty. */
export const anyText = fc
  .record({
    lines: fc.array(line, { maxLength: 12 }),
    ends: fc.oneof(fc.constant(["\n"]), fc.constant(["\r\n"]), fc.constant(["\n", "\r\n"])),
    picks: fc.array(fc.nat(1), { minLength: 12, maxLength: 12 }),
    final: fc.boolean(),
    mark: fc.boolean(),
  })
  .map(({ lines, ends, picks, final, mark }) => {
    const body = lines.map((text, at) =>
      at < lines.length - 1 || final ? text + ends[(picks[at] ?? 0) % ends.length] : text,
    );
    return (mark ? "\uFEFF" : "") + body.join("");
  });

const keepMark = (before: string, after: string) =>
  before.startsWith("\uFEFF") ? `\uFEFF${after.replace("\uFEFF", "")}` : after;

/** Changes to a text that keep its byte order mark: a different text, or some lines deleted, replaced and inserted. */
const change: fc.Arbitrary<(text: string) => string> = fc.oneof(
  { weight: 1, arbitrary: anyText.map((after) => (before: string) => keepMark(before, after)) },
  {
    weight: 4,
    arbitrary: fc
      .array(fc.record({ at: fc.nat(12), take: fc.nat(2), put: fc.array(line, { maxLength: 3 }) }), { maxLength: 3 })
      .map((changes) => (text: string) => {
        const lines = text.split("\n");
        const returns = lines.length > 1 && lines.slice(0, -1).every((each) => each.endsWith("\r"));
        const ended = returns ? lines.map((each) => each.replace(/\r$/, "")) : lines;
        for (const { at, take, put } of changes) ended.splice(Math.min(at, ended.length), take, ...put);
        return keepMark(text, ended.join(returns ? "\r\n" : "\n"));
      }),
  },
);

/** A text before and after an edit. */
export const editedPair: fc.Arbitrary<[before: string, after: string]> = fc
  .tuple(anyText, change)
  .map(([before, edit]) => [before, edit(before)]);

/** Texts of about 200 lines with few different ones, so that difflib leaves frequent lines out of its index. */
export const longPair: fc.Arbitrary<[before: string, after: string]> = fc
  .record({
    lines: fc.array(fc.nat(40), { minLength: 190, maxLength: 230 }),
    changes: fc.array(fc.record({ at: fc.nat(230), take: fc.nat(4), put: fc.array(fc.nat(60), { maxLength: 4 }) }), {
      maxLength: 8,
    }),
  })
  .map(({ lines, changes }) => {
    const text = (numbers: number[]) => numbers.map((each) => (each < 8 ? "" : `    line_${each % 23}()`)).join("\n");
    const after = [...lines];
    for (const { at, take, put } of changes) after.splice(at, take, ...put);
    return [text(lines), text(after)];
  });
