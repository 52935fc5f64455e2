// A page of another site, open in the user's browser, tries everything that a page can.
import { existsSync, readFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { chromium } from "playwright-core";
import type { Attack } from "../../attack.ts";

const CHROMIUM = process.env.CHROMIUM ?? "/usr/bin/chromium";
const SCRIPT = readFileSync(new URL("../../../../fixtures/pages/hostile.js", import.meta.url), "utf8");
const LINKS = {
  "/docs": 200,
  "/api/move/recorded-move-datasets/list/somebody/moves": 403,
  "/api/apps/catalogue?refresh=true": 403,
};

const attack: Attack = {
  title: "a page of another site, in a real browser",
  async run({ daemon, row }) {
    if (!existsSync(CHROMIUM)) return row("left out: there is no Chromium", "", "", true);
    const site = createServer((_, answer) => void answer.setHeader("content-type", "text/html").end("<!doctype html>"));
    await new Promise((resolve) => void site.listen(0, "127.0.0.1", () => resolve(null)));
    const { port } = site.address() as AddressInfo;
    const features = "LocalNetworkAccessChecks,BlockInsecurePrivateNetworkRequests";
    const args = [
      "--headless=new",
      "--no-sandbox",
      "--host-resolver-rules=MAP *.example 127.0.0.1",
      `--disable-features=${features}`,
    ];
    const browser = await chromium.launch({ executablePath: CHROMIUM, args });
    try {
      const page = await browser.newPage();
      const address = `http://evil.example:${port}/`;
      await page.goto(address);
      await page.evaluate(SCRIPT);
      const tried: Record<string, string> = await page.evaluate(`attack("${daemon.url}")`);
      const answered = Object.keys(tried).filter((what) => tried[what] !== "refused");
      row(
        "requests, sockets and forms",
        answered.join(", ") || `${Object.keys(tried).length} refused`,
        "all refused",
        answered.length === 0,
      );
      for (const [path, wanted] of Object.entries(LINKS)) {
        const other = await browser.newPage();
        await other.goto(address);
        const answer = other.waitForResponse(daemon.url + path);
        await other.evaluate(`location.assign(${JSON.stringify(daemon.url + path)})`);
        const status = (await answer).status();
        row(`sends its visitor to ${path}`, status, `${wanted}`, status === wanted);
      }
      const [jobs, slot] = await Promise.all(
        ["jobs", "current-app-status"].map((path) => daemon.get(`/api/apps/${path}`)),
      );
      row("jobs, and the app that runs", `${jobs.length}, ${slot}`, "0, null", jobs.length === 0 && slot === null);
    } finally {
      await browser.close();
      site.close();
    }
  },
};
export default attack;
