import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { unpack } from "../../common/unpack-data.ts";
import { builtPage } from "../outputs/page-file.ts";
import type { Verdict } from "../verdict/verdict.ts";
import { bigVerdict, exampleVerdict, HOSTILE } from "./testing/sample.ts";
import { renderReport } from "./write-report.ts";

const PAGE = "<!doctype html><body><!-- verdict --></body>";
const EMBEDDED =
  /^<!doctype html><body><script type="application\/gzip" id="verdict">([A-Za-z0-9+/=]+)<\/script><\/body>$/;

/** What a browser would read out of a report; fails when the page around it is not as it was. */
function embedded(html: string): Promise<unknown> {
  const [, data] = EMBEDDED.exec(html) ?? [];
  if (data === undefined) throw new Error(`Not the page with one element of base64: ${html.slice(0, 200)}`);
  return unpack(data);
}

/** A verdict that has a text everywhere where an app has a say. */
function verdictSaying(text: string): Verdict {
  const sample = exampleVerdict({ app: text, folder: text });
  const [first, ...others] = sample.testRuns;
  if (first === undefined) throw new Error("The sample has testRuns.");
  const testRun = { ...first, title: text, log: [{ t: 1, stream: "stdout" as const, text }] };
  return { ...sample, testRuns: [testRun, ...others] };
}

describe("embedding", () => {
  test("any text is shown unchanged and is never interpreted as HTML", async () => {
    const unit = fc.oneof(fc.string({ unit: "binary" }), fc.constantFrom(HOSTILE, "$&$1", "\ud800", "\0", "\u2028"));
    await fc.assert(
      fc.asyncProperty(unit, async (text) => {
        const verdict = verdictSaying(text);
        expect(await embedded(renderReport(verdict, PAGE))).toEqual(verdict);
      }),
      { numRuns: 50 },
    );
  });

  test("the same verdict gives the same file", () => {
    const [first, second] = [exampleVerdict(), exampleVerdict()].map((verdict) => renderReport(verdict, PAGE));
    expect(first === second).toBe(true);
  });

  test("a page without a place for the verdict, or with two, is refused", () => {
    for (const page of ["<!doctype html>", PAGE + PAGE])
      expect(() => renderReport(exampleVerdict(), page)).toThrow("must have <!-- verdict --> once");
  });

  test("15 test runs of a minute stay far below 10 MB, the page and its robot included", async () => {
    const html = renderReport(bigVerdict(), await builtPage("report"));
    expect(html.length).toBeLessThan(5e6);
  });
});
