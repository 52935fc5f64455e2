import { expect, test } from "vitest";
import { serveHttp } from "../../../common/testing/http-server.ts";
import { findBrowser, readConsoleErrors } from "./browser-console.ts";

const browser = findBrowser(process.env);
const why = browser ? "" : " (left out: no Chromium here; apt install chromium, or set CHROMIUM=/path)";
const signal = new AbortController().signal;

const PAGE = `<!doctype html><title>page</title><script src="missing.js"></script>
<script>console.log("fine"); console.error("first"); nobody.knows()</script>`;

test.skipIf(browser === null)(
  `reads uncaught exceptions, console.error and missing files, and nothing else${why}`,
  async () => {
    const url = await serveHttp((request, response) => {
      response.statusCode = request.url === "/" ? 200 : 404;
      response.setHeader("content-type", "text/html").end(request.url === "/" ? PAGE : "");
    });
    const { errors } = await readConsoleErrors(browser ?? "", `${url}/`, signal);
    expect([...errors].sort()).toEqual([
      expect.stringContaining("Failed to load resource"),
      expect.stringContaining("nobody is not defined"),
      expect.stringContaining("first"),
    ]);
  },
);

const ELSEWHERE = `<!doctype html><title>page</title><link rel="stylesheet" href="http://fonts.invalid/font.css" />
<img src="http://pictures.invalid/a.png" /><script src="http://scripts.invalid/three.js"></script>`;

test.skipIf(browser === null)(
  `a font, a picture and a script of another server that do not load are no errors of the page${why}`,
  async () => {
    const url = await serveHttp((_, response) => response.setHeader("content-type", "text/html").end(ELSEWHERE));
    expect(await readConsoleErrors(browser ?? "", `${url}/`, signal)).toEqual({
      errors: [],
      unreachedScripts: ["http://scripts.invalid/three.js"],
    });
  },
);

test("a browser that does not start is an error of its own, not of the page", async () => {
  await expect(readConsoleErrors("/bin/false", "http://127.0.0.1:9/", signal)).rejects.toThrow("launch");
});
