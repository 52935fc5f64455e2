import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { type Browser, type BrowserContext, chromium, type Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { DEADLINE_MS } from "../../common/testing/deadline.ts";
import { sharedTemporaryFolder } from "../../common/testing/temporary-folder.ts";
import { waitFor } from "../../common/time/wait-for.ts";
import { accessibilityViolations } from "../../daemon/http/testing/accessibility.ts";
import { browserPath, openBrowser } from "../../daemon/http/testing/browser.ts";
import type { Verdict } from "../verdict/verdict.ts";
import { bigVerdict, exampleVerdict, HOSTILE } from "./testing/sample.ts";
import { writeReport } from "./write-report.ts";

const why = browserPath ? "" : " (left out: no Chromium here; apt install chromium, or set CHROMIUM=/path)";
const DESK = { width: 1280, height: 900 };
const PHONE = { width: 390, height: 844 };
/** Pixels at the top of the robot panel that buttons cover. */
const OVERLAID = 60;

describe.skipIf(browserPath === undefined)(
  `a report in a real browser, opened as a file, without a network${why}`,
  () => {
    /** Draws in three dimensions, slowly. */
    let browser: Browser;
    /** Cannot draw in three dimensions, and is fast. */
    let flat: Browser;
    const folder = sharedTemporaryFolder("robot-report-");
    let context: BrowserContext | undefined;
    let errors: string[];
    let requests: string[];

    beforeAll(async () => {
      const executablePath = browserPath ?? "";
      const args = ["--headless=new", "--no-sandbox", "--disable-3d-apis"];
      browser = await openBrowser(executablePath);
      flat = await chromium.launch({ executablePath, args });
    });
    afterAll(async () => {
      await browser?.close();
      await flat?.close();
    });
    afterEach(async () => {
      await context?.close();
      context = undefined;
    });

    async function open(verdict: Verdict, { hash = "", viewport = DESK, from = flat } = {}): Promise<Page> {
      const file = await writeReport(verdict, folder);
      [errors, requests] = [[], []];
      const opened = await from.newContext({
        viewport,
        hasTouch: viewport === PHONE,
        offline: true,
        reducedMotion: "reduce",
      });
      context = opened;
      opened.setDefaultTimeout(DEADLINE_MS);
      const page = await opened.newPage();
      page.on("console", (message) => {
        // Expected in a browser without 3D.
        if (from === flat && message.text().startsWith("THREE.WebGLRenderer")) return;
        if (message.type() === "error") errors.push(message.text());
      });
      page.on("pageerror", ({ message }) => errors.push(message));
      page.on("request", (request) => requests.push(request.url()));
      await page.goto(`${pathToFileURL(file)}${hash}`);
      await page.getByRole("heading", { level: 1 }).waitFor();
      return page;
    }

    const slider = (page: Page) => page.getByRole("slider", { name: "Time in the test run" });
    const time = async (page: Page) => Number(await slider(page).getAttribute("aria-valuenow"));
    const scrolledTo = (page: Page, selector: string) =>
      waitFor(DEADLINE_MS, `${selector} is in sight`, async () => {
        const { y, height } = (await page.locator(selector).boundingBox()) ?? { y: 0, height: 0 };
        return y < DESK.height && y + height > 0 && height > 0;
      });

    test("shows the verdict, without console errors and network requests", async () => {
      const page = await open(exampleVerdict(), { from: browser });
      expect(await page.getByRole("heading", { level: 1 }).textContent()).toBe("Not conformant");
      await page.getByText("2026112109").waitFor();
      await page.locator(".robot-panel").scrollIntoViewIfNeeded();
      expect(await page.locator(".robot-note").allTextContents()).toEqual([]);
      expect(requests.filter((url) => !url.startsWith("file:") && !url.startsWith("data:"))).toEqual([]);
      expect(errors).toEqual([]);
    });

    test("has no violation that axe finds, in light and dark, at the width of a desk and of a phone", async () => {
      const page = await open(exampleVerdict());
      expect(await accessibilityViolations(page, "the report")).toEqual([]);
      await page.goto(`${page.url().split("#")[0]}#test-run/run-and-stop/2.3`);
      expect(await accessibilityViolations(page, "a test run")).toEqual([]);
    });

    test("the counts of a grade stay within its tile", async () => {
      const page = await open(exampleVerdict());
      const tiles = page.locator(".grade");
      await tiles.first().waitFor();
      for (const viewport of [DESK, { width: 390, height: 844 }]) {
        await page.setViewportSize(viewport);
        const overflows = await tiles.evaluateAll((all) =>
          all.map((tile) => {
            for (const count of tile.querySelectorAll("b")) count.textContent = "127 of 127";
            return tile.scrollWidth > tile.clientWidth;
          }),
        );
        expect(overflows).toEqual([false, false]);
      }
    });

    test("the app's output is shown as text and never executed", async () => {
      const page = await open(exampleVerdict({ app: HOSTILE, folder: HOSTILE }), {
        hash: "#test-run/run-and-stop/2.3",
      });
      await page.locator(".run-log").getByText(HOSTILE).waitFor();
      await page.locator(".verdict-app").getByText(HOSTILE).waitFor();
      expect(await page.title()).toBe(`${HOSTILE}: not-conformant`);
      expect(await page.evaluate("document.scripts.length")).toBe(2);
      expect(await page.locator('img[src="x"]').count()).toBe(0);
      expect(errors).toEqual([]);
    });

    test("dragging in the timeline moves the robot, the cursor, the curves' figures and the log together", async () => {
      const page = await open(exampleVerdict(), { from: browser, hash: "#test-run/run-and-stop/0.00" });
      await page.locator(".timeline").scrollIntoViewIfNeeded();
      const ruler = await slider(page).boundingBox();
      if (ruler === null) throw new Error("The ruler is not on the page.");
      const dragTo = async (t: number) => {
        const x = ruler.x + (t / 12) * ruler.width;
        await page.mouse.move(x - 3, ruler.y + 8);
        await page.mouse.down();
        await page.mouse.move(x, ruler.y + 8);
        await page.mouse.up();
      };
      const seen = async () => {
        const panel = await page.locator(".robot-panel").boundingBox();
        if (panel === null) throw new Error("The robot is not on the page.");
        const clip = { ...panel, y: panel.y + OVERLAID, height: panel.height - OVERLAID };
        const cursor = await page.locator(".timeline-cursor").boundingBox();
        return {
          robot: (await page.screenshot({ clip })).toString("base64"),
          cursor: Math.round((cursor?.x ?? 0) + 1 - ruler.x),
          line: (await page.locator(".line-current").textContent()) ?? "",
          yaw: await page.locator(".lane-plot b").first().textContent(),
        };
      };
      const robotOtherThan = (pictures: string[]) =>
        waitFor(DEADLINE_MS, "the robot has moved", async () => {
          const now = await seen();
          return pictures.includes(now.robot) ? false : now;
        });

      await dragTo(3);
      const there = await robotOtherThan([(await seen()).robot]).catch(seen);
      expect(await time(page)).toBeCloseTo(3, 1);
      expect(there.cursor).toBeCloseTo((3 / 12) * ruler.width, -1);
      const { line } = there;
      expect(line).toMatch(/^02\.8\d/);

      await dragTo(7);
      const further = await robotOtherThan([there.robot]);
      expect(further.cursor).toBeCloseTo((7 / 12) * ruler.width, -1);
      expect(further.yaw).not.toBe(there.yaw);
      expect(further.line).not.toBe(there.line);

      await dragTo(3);
      await waitFor(DEADLINE_MS, "the robot is as it was", async () => {
        const again = await seen();
        return again.robot !== further.robot && again.yaw === there.yaw && again.line === there.line;
      });
      expect(errors).toEqual([]);
    });

    test("keys play, step, jump to events and zoom", async () => {
      const page = await open(exampleVerdict(), { hash: "#test-run/run-and-stop/2.00" });
      await page.keyboard.press("ArrowRight");
      expect(await time(page)).toBeCloseTo(2.04, 6);
      await page.keyboard.press("Shift+ArrowLeft");
      expect(await time(page)).toBeCloseTo(1.04, 6);
      await page.keyboard.press("]");
      expect(await time(page)).toBe(1.15);
      await page.keyboard.press("+");
      expect(await page.getByRole("button", { name: "Zoom out" }).isEnabled()).toBe(true);
      await page.keyboard.press(" ");
      await page.getByRole("button", { name: "Pause" }).waitFor();
      await waitFor(DEADLINE_MS, "the replay advances", async () => (await time(page)) > 1.15);
      await page.keyboard.press(" ");
      await page.getByRole("button", { name: "Play", exact: true }).waitFor();
    });

    test("a link shows a requirement, also one that the filter hides", async () => {
      const page = await open(exampleVerdict(), { hash: "#RES-001" });
      await scrolledTo(page, "#RES-001");
      await page.getByRole("button", { name: "Passed" }).click();
      expect(await page.locator("#RES-001").count()).toBe(0);
      expect(await page.locator("#LIFE-004").count()).toBe(1);
      await page.evaluate("location.hash = '#MOT-004'");
      await scrolledTo(page, "#MOT-004");
    });

    test("a finding links to its moment in the replay", async () => {
      const page = await open(exampleVerdict());
      await page.locator("#MOT-002").getByRole("link", { name: "Replay" }).click();
      await page.getByRole("heading", { name: "Run for a while, then stop" }).waitFor();
      await scrolledTo(page, "#player");
      expect(await time(page)).toBeCloseTo(3.7, 6);
      await page.locator(".run-log").getByRole("link", { name: "MOT-002" }).click();
      await scrolledTo(page, "#MOT-002");
    });

    test("on a phone nothing is wider than the screen, and touch scrubs", async () => {
      const page = await open(exampleVerdict({ app: "a".repeat(200), folder: `/${"b".repeat(300)}` }), {
        viewport: PHONE,
      });
      expect(await page.evaluate("document.documentElement.scrollWidth")).toBe(PHONE.width);
      expect(await page.evaluate("getComputedStyle(document.querySelector('.timeline')).touchAction")).toBe("pan-y");
      const ruler = slider(page);
      await ruler.scrollIntoViewIfNeeded();
      const { x, y, width } = (await ruler.boundingBox()) ?? { x: 0, y: 0, width: 0 };
      await page.touchscreen.tap(x + width / 4, y + 8);
      // A finger covers more than a hundredth of a second.
      expect(await time(page)).toBeCloseTo(2, 1);
    });

    test("the theme is the system's until the user chooses one", async () => {
      const page = await open(exampleVerdict());
      const ground = () => page.evaluate("getComputedStyle(document.body).backgroundColor");
      const light = await ground();
      await page.emulateMedia({ colorScheme: "dark" });
      await waitFor(DEADLINE_MS, "the page is dark", async () => (await ground()) !== light);
      await page.getByRole("button", { name: "Light theme" }).click();
      expect(await ground()).toBe(light);
    });

    test("without three dimensions the curves still show the motion", async () => {
      const page = await open(exampleVerdict(), { hash: "#test-run/run-and-stop/2.00" });
      await page.getByText("This browser cannot draw the robot: it has no WebGL").waitFor();
      await page.getByRole("row", { name: /^left_antenna −?\d+°$/ }).waitFor();
      expect(await page.locator(".plot canvas").count()).toBe(3);
      expect(await page.locator(".lane-plot b").first().textContent()).toMatch(/^−?\d+°$/);
    });

    test("the largest certification opens, with only a part of its long log on the page", async () => {
      const page = await open(bigVerdict(), { hash: "#test-run/test-run-14/30.00" });
      await page.getByRole("heading", { name: "Test run 14" }).waitFor();
      await page.locator(".line-current").getByText("of test run 14").waitFor();
      expect(await page.locator(".line").count()).toBeLessThan(500);
      expect(errors).toEqual([]);
    });

    test("a truncated file says so", async () => {
      await open(exampleVerdict());
      const page = context?.pages()[0];
      const file = join(folder, "cut.html");
      await writeFile(file, (await page?.content())?.replace(/(id="verdict">.{100})[^<]*/, "$1") ?? "");
      await page?.goto(String(pathToFileURL(file)));
      await page?.getByText("This file is damaged").waitFor();
    });
  },
);
