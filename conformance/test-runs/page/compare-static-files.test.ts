import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { serveHttp } from "../../../common/testing/http-server.ts";
import { compareStaticFiles } from "./compare-static-files.ts";

const FILES: Record<string, string> = { "index.html": "<p>", "main.js": "1", "img/ä b.png": "\u0000\u00ff" };

async function compare(pages: Record<string, string>) {
  const folder = mkdtempSync(join(tmpdir(), "robot-static-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  mkdirSync(join(folder, "img"));
  for (const [name, content] of Object.entries(FILES)) writeFileSync(join(folder, name), content);
  const url = await serveHttp((request, response) => {
    const body = pages[decodeURIComponent(request.url ?? "")];
    response.statusCode = body === undefined ? 404 : 200;
    response.end(body);
  });
  return compareStaticFiles(folder, `${url}/`, fetch);
}

test.each([
  ["at their names, the index at /", { "/": "<p>", "/main.js": "1", "/img/ä b.png": "\u0000\u00ff" }, []],
  [
    "below /static/",
    { "/static/index.html": "<p>", "/static/main.js": "1", "/static/img/ä b.png": "\u0000\u00ff" },
    [],
  ],
  [
    "with other content, or not at all",
    { "/": "<b>", "/main.js": "2", "/static/main.js": "1" },
    ["img/ä b.png", "index.html"],
  ],
])("files that are served %s", async (_, pages, different) => {
  expect(await compare(pages)).toEqual({ compared: 3, different });
});
