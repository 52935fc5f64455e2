import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { waitFor } from "../../common/time/wait-for.ts";
import { accessibilityViolations } from "../../daemon/http/testing/accessibility.ts";
import { browserPath, openBrowser } from "../../daemon/http/testing/browser.ts";
import type { ObjectsFrame } from "../../robot/wire/scene/scene-frame.ts";
import { type RobotSim, spawnRobotSim } from "../../sim/process/spawn-robot-sim.ts";

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
    page.setDefaultTimeout(100_000);
    await page.goto(sim.page);
  });
  afterAll(async () => {
    await browser?.close();
    await sim?.close();
  });

  /** The next event of a name, from the page's own events. */
  const next = async <T>(name: string): Promise<T> =>
    JSON.parse(
      await page.evaluate(async (wanted) => {
        const events = new EventSource("./events");
        const data = await new Promise<string>((resolve) =>
          events.addEventListener(wanted, (event) => resolve((event as unknown as { data: string }).data), {
            once: true,
          }),
        );
        events.close();
        return data;
      }, name),
    );
  /** Sideways place of the simulated head, metres. */
  const headY = async () => (await next<{ head: number[] }>("frame")).head[7] ?? 0;
  /** Waits until something that can be grabbed is drawn at a point of the page, which the pointer's hand shows. */
  const untilDrawnAt = (x: number, y: number) =>
    waitFor(100_000, "something to grab is under the pointer", async () => {
      await page.mouse.move(x, y - 1);
      await page.mouse.move(x, y);
      return (await page.locator("#robot").evaluate((element) => element.style.cursor)) === "grab";
    });
  const post = (path: string, data: unknown) => page.request.post(new URL(path, sim.page).href, { data });

  test("shows what to open, and pulls at the head with the mouse", async () => {
    await page.getByText(sim.address).waitFor();
    const before = await headY();
    const [x, y] = [VIEW.width / 2, VIEW.height / 2];
    await untilDrawnAt(x, y);
    await page.mouse.down();
    await page.mouse.move(x + 200, y, { steps: 5 });
    await waitFor(60_000, "the head moves", async () => Math.abs((await headY()) - before) > PULLED);
    await page.mouse.up();
  });

  test("has no violation that axe finds, with an object on the table", async () => {
    const found = await accessibilityViolations(page, "the page of robot-sim");
    await page.getByRole("button", { name: "Add ball" }).click();
    await page.getByRole("button", { name: "Remove ball 1" }).waitFor();
    found.push(...(await accessibilityViolations(page, "with an object")));
    await page.getByRole("button", { name: "Remove ball 1" }).click();
    await page.setViewportSize(VIEW);
    expect(found).toEqual([]);
  });

  test("puts an object on the table, carries it with the mouse, and takes it away", async () => {
    await page.getByRole("button", { name: "Add ball" }).click();
    await page.getByRole("button", { name: "Remove ball 1" }).waitFor();
    const box = {
      name: "crate",
      shape: { kind: "box", size: [0.06, 0.06, 0.06] },
      mass: 0.1,
      position: [0.12, 0.12, 0.03],
    };
    expect((await post("objects", box)).status()).toBe(204);
    await page.getByRole("button", { name: "Remove crate" }).waitFor();
    const place = async () => (await next<ObjectsFrame>("objects")).objects.find(({ name }) => name === "crate")?.pose;
    const [startX = 0, startY = 0, startZ = 0] = (await place()) ?? [];
    // In front of the robot, to the right. From there it is carried through the air beside the robot.
    const [x, y] = [540, 530];
    await untilDrawnAt(x, y);
    await page.mouse.down();
    await page.mouse.move(x + 200, y - 200, { steps: 5 });
    await waitFor(100_000, "the crate is carried up and aside", async () => {
      const [atX = 0, atY = 0, z = 0] = (await place()) ?? [];
      return z - startZ > 0.05 && Math.hypot(atX - startX, atY - startY) > 0.05;
    });
    await page.mouse.up();
    await page.getByRole("button", { name: "Remove crate" }).click();
    await page.getByRole("button", { name: "Remove crate" }).waitFor({ state: "detached" });
    await page.getByRole("button", { name: "Reset simulation" }).click();
    await page.getByRole("button", { name: "Remove ball 1" }).waitFor({ state: "detached" });
  });

  test("shows the angles of the joints to a browser without WebGL", async () => {
    const flat = await openBrowser(browserPath ?? "", ["--disable-3d-apis"]);
    try {
      const opened = await flat.newPage({ viewport: VIEW });
      await opened.goto(sim.page);
      await opened.getByText("This browser cannot draw the robot: it has no WebGL").waitFor();
      await opened.getByRole("row", { name: /^stewart_1 −?\d+°$/ }).waitFor();
      const found = await accessibilityViolations(opened, "the table of joints");
      expect(found).toEqual([]);
      expect(await opened.locator("canvas").isVisible()).toBe(false);
      expect(await opened.getByRole("button", { name: "Reset camera" }).isVisible()).toBe(false);
      expect(await opened.getByText(/THREE|Error/).count()).toBe(0);
    } finally {
      await flat.close();
    }
  });

  test("begins a fault and reports it; explains why it refuses an unknown one", async () => {
    const fault = page.getByLabel("Fault to inject");
    await fault.fill("dorp");
    await page.getByRole("button", { name: "Inject fault" }).click();
    await page.getByText('There is no fault "dorp"').waitFor();
    await fault.fill("unplug:for=1");
    await page.getByRole("button", { name: "Inject fault" }).click();
    await page.getByText("is unplugged").waitFor();
    await page.getByText("is plugged in again").waitFor();
  });
});
