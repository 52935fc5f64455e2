import { expect, test } from "vitest";
import { serveHttp } from "../../../common/testing/http-server.ts";
import { brokenReferences } from "./page-references.ts";

/** The broken references of a page at /, with files and style sheets beside it; paths without the address. */
async function brokenOf(html: string, files: Record<string, string> = {}): Promise<string[]> {
  const url = await serveHttp((request, response) => {
    const body = files[request.url ?? ""];
    response.statusCode = body === undefined ? 404 : 200;
    if (request.url?.endsWith(".css")) response.setHeader("content-type", "text/css");
    response.end(body);
  });
  return (await brokenReferences(html, `${url}/`, { get: fetch, canRetry: () => false })).map((reference) =>
    reference.replace(url, ""),
  );
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

/** A page whose first answers for a file are cut off. */
function serveCutOff(count: number): Promise<string> {
  let left = count;
  return serveHttp((_, response) => {
    if (left > 0) response.destroy();
    else response.end("1");
    left -= 1;
  });
}

test("a reference without an answer is requested again as long as there is time", async () => {
  const url = await serveCutOff(2);
  expect(await brokenReferences(script("a.js"), `${url}/`, { get: fetch, canRetry: () => true })).toEqual([]);
});

test("a reference that stays without an answer is broken", async () => {
  const url = await serveCutOff(Number.POSITIVE_INFINITY);
  const tries = [true, true, false];
  const client = { get: fetch, canRetry: () => tries.shift() ?? false };
  expect(await brokenReferences(script("a.js"), `${url}/`, client)).toEqual([`${url}/a.js (no answer)`]);
  expect(tries).toEqual([]);
});

test("a style sheet that is answered late is followed", async () => {
  let isFirst = true;
  const url = await serveHttp((request, response) => {
    if (isFirst) response.destroy();
    else if (request.url === "/style.css") response.setHeader("content-type", "text/css").end("@import 'more.css'");
    else response.writeHead(404).end();
    isFirst = false;
  });
  const html = '<link href="style.css" rel="stylesheet">';
  const broken = await brokenReferences(html, `${url}/`, { get: fetch, canRetry: () => true });
  expect(broken).toEqual([`${url}/more.css (404)`]);
});

test("a stream without an end, as of a camera, is there", async () => {
  const url = await serveHttp((_, response) => {
    response.writeHead(200, { "content-type": "multipart/x-mixed-replace; boundary=frame" }).write("--frame");
  });
  const html = '<img src="camera.mjpeg">';
  expect(await brokenReferences(html, `${url}/`, { get: fetch, canRetry: () => false })).toEqual([]);
});
