import { gunzipSync } from "node:zlib";
import { expect, test } from "vitest";
import { renderCataloguePage } from "./page-file.ts";
import { exampleApp, exampleProblem, exampleRun } from "./testing/example-run.ts";

test("no text of an app leaves the element with the data, and the page gets what the run has", () => {
  const run = exampleRun([
    exampleApp("</script><script>alert(1)</script>", [exampleProblem({ message: "<!-- x -->" })]),
  ]);
  const html = renderCataloguePage({ run, comparison: null }, "<html><!-- catalogue --></html>");
  const [, data = ""] =
    /^<html><script type="application\/gzip" id="catalogue">([\w+/=]+)<\/script><\/html>$/.exec(html) ?? [];
  expect(JSON.parse(String(gunzipSync(Buffer.from(data, "base64"))))).toEqual({ run, comparison: null });
});

test("a page without the place, or with two, is refused", () => {
  const data = { run: exampleRun([]), comparison: null };
  for (const page of ["<html></html>", "<!-- catalogue --><!-- catalogue -->"])
    expect(() => renderCataloguePage(data, page)).toThrow("once");
});
