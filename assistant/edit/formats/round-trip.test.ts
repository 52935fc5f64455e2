import fc from "fast-check";
import { expect, test } from "vitest";
import { WorkbenchError } from "../../../robot/wire/errors.ts";
import { resolveEdit } from "../apply/resolve.ts";
import { spliceText } from "../apply/splice.ts";
import { editedPair } from "../testing/arbitraries.ts";
import { RUNS } from "../testing/runs.ts";
import { CONVENTIONS, FORMATS, type Format } from "./format.ts";
import { parseResponse } from "./parse.ts";
import { type RenderResponseOptions, renderResponse } from "./render-response.ts";

/** The answer, or undefined when the renderer says that the format has no way to write the change. */
function sayable(before: string, after: string, options: RenderResponseOptions): string | undefined {
  try {
    return renderResponse(before, after, options);
  } catch (error) {
    expect(error).toMatchObject({ name: WorkbenchError.name, code: "edit-refused" });
    return undefined;
  }
}

/** What a format may have no words for: line ends, fences, numbers before lines, a doubled mark, a final newline taken away. */
function isHard(before: string, after: string, format: Format): boolean {
  const both = `${before}\n${after}`;
  const losesNewline = format === "wf" && before.endsWith("\n") && after !== "" && !after.endsWith("\n");
  return /\r|^\uFEFF?(```|\d+ )|\uFEFF\uFEFF/m.test(both) || losesNewline;
}

for (const format of FORMATS) {
  for (const convention of format === "lc" ? CONVENTIONS : (["inclusive"] as const)) {
    test(`render, parse and apply give the edited text back: ${format} ${convention}`, () => {
      let [said, hard] = [0, 0];
      fc.assert(
        fc.property(editedPair, ([before, after]) => {
          const response = sayable(before, after, { format, convention, lang: "text", explanation: "Why." });
          if (response === undefined) {
            expect(isHard(before, after, format)).toBe(true);
            hard += 1;
            return;
          }
          said += 1;
          const parsed = parseResponse(response, { format, current: before });
          expect(parsed).toMatchObject({ explanation: "Why." });
          const splices = parsed.kind === "edit" ? resolveEdit(before, parsed.edit, { convention }).splices : [];
          expect(spliceText(before, splices)).toBe(after);
        }),
        { numRuns: RUNS },
      );
      expect(said).toBeGreaterThan(2 * hard);
    });
  }
}
