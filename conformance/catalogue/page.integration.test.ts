import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { chromium, type Page } from "playwright-core";
import { expect, onTestFinished, test } from "vitest";
import { temporaryFolder } from "../../common/testing/temporary-folder.ts";
import { accessibilityViolations } from "../../daemon/http/testing/accessibility.ts";
import { browserPath } from "../../daemon/http/testing/browser.ts";
import { compareRuns } from "./compare/compare-runs.ts";
import { buildCataloguePage } from "./page-file.ts";
import { exampleApp, exampleProblem, exampleRun } from "./testing/example-run.ts";

const why = browserPath ? "" : " (left out: no Chromium here; apt install chromium, or set CHROMIUM=/path)";
const HOSTILE = "<img src=x onerror=alert(1)>";

/** Opens the page of a run as a file, without a network. */
async function openPage(): Promise<{ page: Page; problems: string[] }> {
  const folder = temporaryFolder("robot-catalogue-page-");
  const browser = await chromium.launch({
    executablePath: browserPath ?? "",
    args: ["--headless=new", "--no-sandbox"],
  });
  onTestFinished(() => browser.close());
  const many = Array.from({ length: 300 }, (_, index) => exampleApp(`app_${String(index).padStart(3, "0")}`));
  const before = exampleRun([...many, exampleApp("maker/broke")]);
  const broke = exampleApp("maker/broke", [
    exampleProblem({ id: "LIFE-003", message: HOSTILE, traceback: "KeyError: 'yaw'" }),
  ]);
  const run = exampleRun([...many, broke], "2030-01-02T00:00:00.000Z");
  const file = join(folder, "catalogue.html");
  await writeFile(file, await buildCataloguePage({ run, comparison: compareRuns(before, run) }));
  const page = await (await browser.newContext({ offline: true })).newPage();
  const problems: string[] = [];
  page.on("console", (message) => message.type() === "error" && problems.push(message.text()));
  page.on("pageerror", ({ message }) => problems.push(message));
  page.on("request", (request) => request.url().startsWith("file:") || problems.push(request.url()));
  await page.goto(String(pathToFileURL(file)));
  await page.getByRole("heading", { level: 1 }).waitFor();
  return { page, problems };
}

test.skipIf(browserPath === undefined)(`the page filters, sorts and shows what broke${why}`, async () => {
  const { page, problems } = await openPage();
  const rows = page.locator("#apps tbody tr");
  expect(await rows.count()).toBe(200);
  expect(await accessibilityViolations(page, "all apps")).toEqual([]);
  await page.getByRole("button", { name: "Show 101 more" }).click();
  expect(await rows.count()).toBe(301);
  expect(await rows.first().locator("td").first().textContent()).toBe("app_000");
  await page.getByRole("button", { name: "name ↑" }).click();
  expect(await rows.first().locator("td").first().textContent()).toBe("maker/broke");
  await page.getByRole("combobox", { name: "Verdict" }).selectOption("not-conformant");
  expect(await rows.count()).toBe(1);
  expect(await rows.first().textContent()).toContain("was conformant");
  await rows.first().locator("summary").click();
  expect(await rows.first().textContent()).toContain(HOSTILE);
  expect(await accessibilityViolations(page, "an app that broke")).toEqual([]);
  await page.getByRole("searchbox").fill("nothing like it");
  expect(await rows.count()).toBe(0);
  expect(await page.locator("#changes .cause").textContent()).toContain("LIFE-003 1 app");
  expect(problems).toEqual([]);
});
