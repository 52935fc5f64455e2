import fc from "fast-check";
import { expect, test } from "vitest";
import { PROPERTY_RUNS } from "../../../common/testing/property-runs.ts";
import { WorkbenchError } from "../../../robot/wire/errors.ts";
import { resolveEdit } from "../../apply/resolve/resolve.ts";
import { spliceText } from "../../apply/splice.ts";
import { editedPair } from "../../testing/trials/arbitraries.ts";
import { comparable } from "../../text/look-alikes.ts";
import { CONVENTIONS, FORMATS, type Format } from "../format.ts";
import { parseResponse } from "../parse/parse-response.ts";
import { type RenderResponseOptions, renderResponse } from "./render-response.ts";

/** The answer; undefined when the renderer refuses because the format cannot express the change. */
function tryRender(before: string, after: string, options: RenderResponseOptions): string | undefined {
  try {
    return renderResponse(before, after, options);
  } catch (error) {
    expect(error).toMatchObject({ name: WorkbenchError.name, code: "edit-refused" });
    return undefined;
  }
}

/**
 * Changes that a format may be unable to express: line ends, fences, numbered lines, two marks, a removed final newline, and lines that
 * differ from others in characters that look alike.
 */
function maybeInexpressible(before: string, after: string, format: Format): boolean {
  const both = `${before}\n${after}`;
  const losesNewline = format === "wf" && before.endsWith("\n") && after !== "" && !after.endsWith("\n");
  const [a, b] = [before.split("\n"), after.split("\n")];
  const alike = new Set(a.map((line) => comparable(line).trim()));
  const isRepeated = b.some((line) => !a.includes(line) && alike.has(comparable(line).trim()));
  return /\r|^\uFEFF?(```|\d+ )|\uFEFF\uFEFF|\uFFFD/m.test(both) || losesNewline || isRepeated;
}

for (const format of FORMATS) {
  for (const convention of format === "lc" ? CONVENTIONS : (["inclusive"] as const)) {
    test(`render, parse and apply give the edited text back: ${format} ${convention}`, () => {
      let [rendered, refused] = [0, 0];
      fc.assert(
        fc.property(editedPair, ([before, after]) => {
          const response = tryRender(before, after, { format, convention, lang: "text", explanation: "Why." });
          if (response === undefined) {
            expect(maybeInexpressible(before, after, format)).toBe(true);
            refused += 1;
            return;
          }
          rendered += 1;
          const parsed = parseResponse(response, { format, current: before });
          expect(parsed).toMatchObject({ explanation: "Why." });
          const splices =
            parsed.kind === "edit" ? resolveEdit(before, parsed.edit, { convention, elision: "note" }).splices : [];
          expect(spliceText(before, splices)).toBe(after);
        }),
        { numRuns: PROPERTY_RUNS },
      );
      expect(rendered).toBeGreaterThan(refused);
    });
  }
}

test("a whole file can lose its final newline when the answer's end is kept", () => {
  const options = { format: "wf", finalNewline: "answer" } as const;
  const parsed = parseResponse(renderResponse("a\nb\n", "a\nb", options), { ...options, current: "a\nb\n" });
  const splices = parsed.kind === "edit" ? resolveEdit("a\nb\n", parsed.edit, options).splices : [];
  expect(spliceText("a\nb\n", splices)).toBe("a\nb");
  expect(() => renderResponse("a\nb\n", "a\nb", { format: "wf" })).toThrow("cannot express this change");
});
