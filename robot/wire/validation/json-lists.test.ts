import fc from "fast-check";
import { expect, test } from "vitest";
import { parseJsonLists } from "./json-lists.ts";

const parse = (text: string, pause = async () => {}) => parseJsonLists(text, { name: "file", maxItems: 1000, pause });

const space = fc.string({ unit: fc.constantFrom(" ", "\n", "\t", "\r"), maxLength: 2 });

test("a text is parsed as JSON.parse does", async () => {
  const object = fc.dictionary(fc.string(), fc.oneof(fc.jsonValue(), fc.array(fc.jsonValue())));
  await fc.assert(
    fc.asyncProperty(object, space, fc.constantFrom(0, 2), async (value, around, indent) => {
      const text = around + JSON.stringify(value, null, indent) + around;
      expect(await parse(text)).toEqual(JSON.parse(text));
    }),
  );
});

test("a text that JSON.parse refuses is refused, and a text that it accepts is not changed", async () => {
  const piece = fc.constantFrom(..."[]{},:1-.e \\", '"', '"a"', '"a":', "null", "[1,2]", "\\u0041", "\u0000");
  await fc.assert(
    fc.asyncProperty(fc.array(piece), async (pieces) => {
      const text = `{${pieces.join("")}}`;
      let wanted: unknown;
      try {
        wanted = JSON.parse(text);
      } catch {
        await expect(parse(text)).rejects.toMatchObject({ code: "bad-request" });
        return;
      }
      expect(await parse(text)).toEqual(wanted);
    }),
    { numRuns: 2000 },
  );
});

test.each([
  ["ten million brackets", "[".repeat(10_000_000), 'file is not JSON of the right kind: "["'],
  ["ten million brackets in a field", `{"a": ${"[".repeat(10_000_000)}`, "file.a[0] is more than 50 levels deep."],
  ["too many items", `{"a": [${"0,".repeat(5_000_000)}0]}`, "file.a has more than 1000 items."],
  ["a string without an end", `{"a": ["${"x".repeat(10_000_000)}`, "file.a[0] has more than 100 KB."],
  ["a string of backslashes", `{"a": ["${"\\\\".repeat(5_000_000)}"]}`, "file.a[0] has more than 100 KB."],
  ["a number of megabytes", `{"a": ${"1".repeat(10_000_000)}}`, "file.a has more than 100 KB."],
  ["plain text of megabytes", `{"a": [[${"1,".repeat(5_000_000)}]]}`, "file.a[0] has more than 100 KB."],
  ["ten million spaces", `{${" ".repeat(10_000_000)}`, "file is not JSON"],
  ["thousands of fields", `{${'"a":0,'.repeat(5000)}"b":0}`, "file has more than 50 fields."],
  ["nothing", "", 'file is not JSON of the right kind: its end is in the place of "{".'],
  ["a second value", "{} {}", "it goes on after its end"],
])("%s: refused", async (_, text, message) => {
  await expect(parse(text)).rejects.toMatchObject({ code: "bad-request", message: expect.stringContaining(message) });
});

test("others have their turn within 350 KB", async () => {
  let pauses = 0;
  const item = `"${"x".repeat(50_000)}"`;
  await parse(`{"a": [${Array(100).fill(item).join()}]}`, async () => {
    pauses += 1;
  });
  expect(pauses).toBeGreaterThanOrEqual(14);
});
