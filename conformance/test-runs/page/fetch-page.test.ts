import { expect, test } from "vitest";
import { serveHttp } from "../../../common/testing/http-server.ts";
import { brokenReferences } from "./fetch-page.ts";

/** The broken references of a page at /, with files and style sheets beside it; paths without the address. */
async function brokenOf(html: string, files: Record<string, string> = {}): Promise<string[]> {
  const url = await serveHttp((request, response) => {
    const body = files[request.url ?? ""];
    response.statusCode = body === undefined ? 404 : 200;
    if (request.url?.endsWith(".css")) response.setHeader("content-type", "text/css");
    response.end(body);
  });
  return (await brokenReferences(html, `${url}/`, fetch)).map((reference) => reference.replace(url, ""));
}
const script = (name: string) => `<script src="${name}"></script>`;

test("files of the page and of its style sheets that are not served are broken", async () => {
  const files = { "/a.js": "1", "/style.css": "body { background: url(missing.png) }" };
  const html = `${script("a.js")}${script("b.js")}<link href="style.css" rel="stylesheet">${script("https://other.example/c.js")}`;
  expect(await brokenOf(html, files)).toEqual(["/b.js (404)", "/missing.png (404)"]);
});

test("of many references the first are followed", async () => {
  const many = Array.from({ length: 80 }, (_, at) => script(`${at}.js`)).join("");
  expect(await brokenOf(many)).toEqual(Array.from({ length: 50 }, (_, at) => `/${at}.js (404)`));
});
