import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { serveHttp } from "../../../common/testing/http-server.ts";
import { temporaryFolder } from "../../../common/testing/temporary-folder.ts";
import { compareStaticFiles } from "./compare-static-files.ts";

const FILES: Record<string, string> = { "index.html": "<p>", "main.js": "1", "img/ä b.png": "\u0000\u00ff" };

/** Compares the files with those of a page. The first `hanging` requests for main.js get no answer in time. */
async function compare(pages: Record<string, string>, hanging = 0, canRetry = () => true) {
  const folder = temporaryFolder("robot-static-");
  mkdirSync(join(folder, "img"));
  for (const [name, content] of Object.entries(FILES)) writeFileSync(join(folder, name), content);
  let hung = 0;
  const url = await serveHttp((request, response) => {
    if (request.url?.endsWith("/main.js") && hung++ < hanging) return;
    const body = pages[decodeURIComponent(request.url ?? "")];
    response.statusCode = body === undefined ? 404 : 200;
    response.end(body);
  });
  const get = (address: string) => fetch(address, { signal: AbortSignal.timeout(hanging === 0 ? 30_000 : 800) });
  return compareStaticFiles(folder, `${url}/`, { get, canRetry });
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
  expect(await compare(pages)).toEqual({ compared: 3, different, unanswered: [] });
});

const ALL = { "/": "<p>", "/main.js": "1", "/img/ä b.png": "\u0000\u00ff" };

test("a file is requested again when it gets no answer", async () => {
  expect(await compare(ALL, 3)).toEqual({ compared: 3, different: [], unanswered: [] });
});

test("a file that gets no answer as long as there is time is not different", async () => {
  let retries = 2;
  expect(await compare({ ...ALL, "/": "<b>" }, Number.POSITIVE_INFINITY, () => retries-- > 0)).toEqual({
    compared: 3,
    different: ["index.html"],
    unanswered: ["main.js"],
  });
});

test("a file that is served elsewhere needs no answer", async () => {
  expect(await compare({ ...ALL, "/static/main.js": "1" }, 1, () => false)).toMatchObject({ unanswered: [] });
});
