// A page of another site, open in the user's browser, tries everything that a page can.
import { browserPath, HOSTILE_SCRIPT, openBrowser, startOtherSite } from "../../../../daemon/http/testing/browser.ts";
import type { Attack } from "../../attack.ts";

const LINKS = {
  "/docs": 200,
  "/api/move/recorded-move-datasets/list/somebody/moves": 403,
  "/api/apps/catalogue?refresh=true": 403,
};

export default {
  title: "a page of another site, in a real browser",
  async run({ daemon, row }) {
    if (browserPath === undefined) return row("left out: there is no Chromium", "", "", true);
    const site = await startOtherSite();
    const browser = await openBrowser(browserPath);
    try {
      const page = await browser.newPage();
      const address = `http://evil.example:${site.port}/`;
      await page.goto(address);
      await page.evaluate(HOSTILE_SCRIPT);
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
} satisfies Attack;
