import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { applyEdit } from "../apply.ts";
import { SYNTAX_CHECKERS } from "../syntax.ts";

const errorsOf = (language: string, text: string) => SYNTAX_CHECKERS[language]?.(text);

test.each<[language: string, what: string, text: string, line: number, message: string]>([
  ["json", "a value that is none", '{\n "a": x}', 2, "Unexpected token 'x'."],
  ["json", "a comma too many", '{\n "a": 1,\n}', 3, "Expected double-quoted property name."],
  ["json", "an end too early", '{\n "a": 1\n', 3, "Expected ',' or '}' after property value."],
  ["json", "a line end in a string", '\uFEFF["a\n"]', 1, "Bad control character in string literal."],
  ["toml", "a missing value", "a = 1\nb = \n", 2, "Invalid TOML document: invalid value."],
  ["yaml", "a list that is not closed", "a: 1\nb: [1,\nc: 2\n", 3, "must be sufficiently indented"],
  ["yaml", "a key twice", "a: 1\n---\na: 1\na: 2\n", 4, "Map keys must be unique."],
  ["html", "an element that is not closed", "<main>\n<div class='a'>\n</main>\n", 2, "<div> is not closed."],
  ["html", "a tag of no element", "<p>a</p>\n</b>\n", 2, "</b> closes no element that is open."],
  ["html", "an element that is not closed at the end", "<body>\n<p>\n<div>\n", 3, "<div> is not closed."],
  ["html", "half a tag", "<p>\n<img src=\n", 2, "<img> is not complete."],
  ["html", "half a comment", "<p>\n<!-- a\n", 2, "The comment is not closed."],
  ["css", "a block that is not closed", "a {\n b: c;\n", 3, "The end of the file is not expected here."],
  ["css", "a declaration without a colon", "a {\n b c d;\n e: f }\n", 2, "`;` is not expected here."],
])("%s: %s is found in its line", async (language, _what, text, line, message) => {
  expect(await errorsOf(language, text)).toEqual([{ line, message: expect.stringContaining(message) }]);
});

test.each([
  ["json", '{"a": [1, -2.5e3, true, null, "\\u00e9"]}'],
  ["json", "\uFEFF[]\r\n"],
  ["toml", '[project]\r\nname = "x"\r\n'],
  ["yaml", "a: &x [1]\nb: *x\n---\n- c\n"],
  [
    "html",
    '<!doctype html>\n<p>a\n<ul><li>b<li>c</ul><img src="x"><input disabled>{{ name }}{% if a < b %}x{% endif %}',
  ],
  ["html", "<script>if (a < b) c()</script><style>a { b: c }</style>"],
  ["css", "@media (width < 10px) { a:is(b, c) { d: calc(1px + var(--e)); &:hover { f: g } } }"],
])("%s that parses has no errors: %s", async (language, text) => {
  expect(await errorsOf(language, text)).toEqual([]);
});

test.each([
  ["json", "["],
  ["toml", "a = ["],
  ["yaml", "["],
  ["html", "<b>"],
  ["css", "a{"],
])("%s that is nested without end has an error", async (language, text) => {
  expect(await errorsOf(language, text.repeat(20_000))).toHaveLength(1);
});

test("a JSON text has an error where the engine's parser has one, in the line that it names", async () => {
  const text = JSON.stringify({ a: [1, 2.5e3, true, null, 'x\n"é'], b: { "c d": "e", f: [] }, g: -0.5 }, null, 1);
  const characters = [..."{}[],:\"\\truefals019.-+eE /*\n\t x'"];
  await fc.assert(
    fc.asyncProperty(
      fc.nat(text.length - 1),
      fc.constantFrom("", ...characters),
      fc.nat(1),
      async (at, put, removed) => {
        const damaged = text.slice(0, at) + put + text.slice(at + removed);
        const [error] = (await errorsOf("json", damaged)) ?? [];
        const expected = parseError(damaged);
        expect(error !== undefined).toBe(expected !== null);
        if (expected?.line !== undefined) expect(error?.line).toBe(expected.line);
      },
    ),
  );
});

/** Why the engine does not parse a text, and in which line when it says so; null when it does. */
function parseError(text: string): { line?: number } | null {
  try {
    JSON.parse(text);
    return null;
  } catch (error) {
    const [, at] = /position (\d+)/.exec((error as Error).message) ?? [];
    return at === undefined ? {} : { line: text.slice(0, Number(at)).split("\n").length };
  }
}

describe("an edit by a model", () => {
  const edit = (current: string, lang: string) =>
    applyEdit(current, "<|next_start|>```\n1\n<|search_and_replace|>\n1,\n```<|next_end|>", { format: "sr", lang });

  test("that breaks a JSON file is refused", async () => {
    expect(await edit('{\n"a":\n1\n}', "json")).toMatchObject({
      status: "refused",
      refusal: { code: "new-syntax-error", line: 4, reason: expect.stringContaining("line 4 of the edited file") },
    });
  });

  test("of JSON with comments, which is another language, is not checked", async () => {
    expect(await edit('{ // a\n"a":\n1\n}', "jsonc")).toMatchObject({ status: "applied", notes: [] });
  });
});
