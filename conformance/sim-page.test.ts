import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, test } from "vitest";
import { browserPath, openBrowser } from "../daemon/http/testing/browser.ts";
import { type RobotSim, spawnRobotSim } from "./runner/robot-sim.ts";
import { within } from "./runner/waiting.ts";

const why = browserPath ? "" : " (left out: no Chromium here; apt install chromium, or set CHROMIUM=/path)";
const VIEW = { width: 900, height: 700 };
/** Metres; it starts at rest. */
const PULLED = 0.005;

describe.skipIf(browserPath === undefined)(`the page of robot-sim, in a real browser${why}`, () => {
  let browser: Browser;
  let sim: RobotSim;
  let page: Page;
  beforeAll(async () => {
    [browser, sim] = await Promise.all([openBrowser(browserPath ?? ""), spawnRobotSim("tcp")]);
    page = await browser.newPage({ viewport: VIEW });
    await page.goto(sim.page);
  }, 60_000);
  afterAll(async () => {
    await browser?.close();
    await sim?.close();
  });

  /** Sideways place of the simulated head, metres, from the page's own events. */
  const headY = () =>
    page.evaluate(async () => {
      const events = new EventSource("./events");
      const frame = await new Promise<string>((resolve) =>
        events.addEventListener("frame", (event) => resolve((event as unknown as { data: string }).data), {
          once: true,
        }),
      );
      events.close();
      return (JSON.parse(frame) as { head: number[] }).head[7] ?? 0;
    });

  test("shows what to open, and pulls at the head with the mouse", async () => {
    await page.getByText(sim.address).waitFor();
    const before = await headY();
    const [x, y] = [VIEW.width / 2, VIEW.height / 2];
    const canvas = page.locator("#robot");
    // The hand shows that there is something to grab: the robot is drawn.
    await within(20_000, "the robot is under the pointer", async () => {
      await page.mouse.move(x, y - 1);
      await page.mouse.move(x, y);
      return (await canvas.evaluate((element) => element.style.cursor)) === "grab";
    });
    await page.mouse.down();
    await page.mouse.move(x + 200, y, { steps: 5 });
    await within(10_000, "the head gives way", async () => Math.abs((await headY()) - before) > PULLED);
    await page.mouse.up();
  }, 60_000);

  test("begins a fault, tells of it, and says what is wrong with one that there is not", async () => {
    const fault = page.getByLabel("A fault to begin");
    await fault.fill("dorp");
    await page.getByRole("button", { name: "Begin fault" }).click();
    await page.getByText('There is no fault "dorp"').waitFor();
    await fault.fill("unplug:for=1");
    await page.getByRole("button", { name: "Begin fault" }).click();
    await page.getByText("is unplugged").waitFor();
    await page.getByText("is plugged in again").waitFor();
  }, 60_000);
});
