import { mkdir, readFile, symlink, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import type { Browser, Page, Request } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { DEADLINE_MS } from "../../common/testing/deadline.ts";
import { waitFor } from "../../common/time/wait-for.ts";
import { digestOf } from "../../daemon/apps/install/fetch/digest.ts";
import { addPagedApp } from "../../daemon/apps/testing/paged-app.ts";
import { createTestVenv, type TestVenv } from "../../daemon/apps/testing/test-venv.ts";
import { accessibilityViolations } from "../../daemon/http/testing/accessibility.ts";
import { browserPath, openBrowser, type Site, startOtherSite } from "../../daemon/http/testing/browser.ts";
import type { Hub } from "../../fixtures/hub/server/hub.ts";
import { startTestHub } from "../../fixtures/hub/server/testing/start-test-hub.ts";
import type { DaemonHandle } from "../runner/daemon/daemon-handle.ts";
import { spawnDaemon } from "../runner/daemon/spawn-daemon.ts";

const why = browserPath ? "" : " (left out: no Chromium here; apt install chromium, or set CHROMIUM=/path)";

/** Everything that the page holds open to the daemon, by path. */
function connectionsOf(page: Page): string[] {
  const open: string[] = [];
  const close = (path: string) => {
    if (open.includes(path)) open.splice(open.indexOf(path), 1);
  };
  const pathOf = (url: string) => new URL(url).pathname;
  // What a page held open goes with it, untold.
  page.on("framenavigated", () => {
    open.length = 0;
  });
  page.on("websocket", (socket) => {
    open.push(pathOf(socket.url()));
    socket.on("close", () => close(pathOf(socket.url())));
  });
  const isStream = (request: Request) => pathOf(request.url()) === "/api/events";
  const ended = (request: Request) => {
    if (isStream(request)) close(pathOf(request.url()));
  };
  page.on("request", (request) => {
    if (isStream(request)) open.push(pathOf(request.url()));
  });
  page.on("requestfinished", ended);
  page.on("requestfailed", ended);
  return open;
}

/** What an installer looks at when an app asks for the SDK. */
async function addSdk(sitePackages: string): Promise<void> {
  const folder = join(sitePackages, "robot_sdk-0.1.0.dist-info");
  await mkdir(folder);
  await writeFile(join(folder, "METADATA"), "Metadata-Version: 2.1\nName: robot-sdk\nVersion: 0.1.0\n");
  await writeFile(join(folder, "RECORD"), "");
}

describe.skipIf(browserPath === undefined)(`the dashboard, in a real browser${why}`, () => {
  let browser: Browser;
  let environment: TestVenv;
  let hub: Hub;
  let settings: Site;
  let daemon: DaemonHandle;
  let page: Page;
  let connections: string[];
  const start = (port = 0) =>
    spawnDaemon({
      dataDir: environment.root,
      startupApp: null,
      wakeUpOnStart: false,
      gracePeriod: 10,
      hubUrl: hub.url,
      port,
    });
  beforeAll(async () => {
    [browser, environment] = await Promise.all([openBrowser(browserPath ?? ""), createTestVenv()]);
    await environment.add("obedient");
    await environment.add("crash_in_run");
    await environment.addTools();
    await addSdk(environment.sitePackages);
    // As complete as the daemon would make it, without the time that takes: these apps use no SDK.
    const stamp = { sdk: await digestOf(resolve("sdk")) };
    await writeFile(join(environment.venv, "robot-sdk.json"), JSON.stringify(stamp));
    await symlink(environment.venv, join(environment.root, "apps_venv"));
    hub = await startTestHub(environment.root);
    settings = await startOtherSite();
    daemon = await start();
    page = await browser.newPage();
    page.setDefaultTimeout(DEADLINE_MS);
    connections = connectionsOf(page);
    // What the robot looks like is the viewer's business, and drawing it without a graphics card is slow.
    await page.route(/\/viewer-[^/]*\.js$/, (route) => route.abort());
    await page.goto(daemon.url);
  });
  afterAll(async () => {
    await browser?.close();
    await daemon?.close();
    await hub?.close().catch(() => {});
    settings?.close();
    await environment?.remove();
  });

  const slot = () => page.getByLabel("Running app");
  const button = (name: string | RegExp) => page.getByRole("button", { name, exact: typeof name === "string" });

  test("shows how long the app has run, also on a page that was opened later", async () => {
    await button("Start obedient").click();
    await slot().getByText("Running", { exact: true }).waitFor();
    await slot()
      .getByText(/^for [1-9]\d* s$/)
      .waitFor();
    await page.reload();
    await slot()
      .getByText(/^for [1-9]\d* s$/)
      .waitFor();
  });

  test("reports a lost daemon and reconnects without a reload, with no log line twice", async () => {
    await page.evaluate("window.stayed = true");
    await page.getByText("running", { exact: true }).waitFor();
    daemon.signal("SIGKILL");
    await daemon.exited();
    await page.getByText("The daemon cannot be reached.").waitFor();
    expect(await button("Install").isDisabled()).toBe(true);

    daemon = await start(Number(new URL(daemon.url).port));
    await page.getByText("The daemon cannot be reached.").waitFor({ state: "hidden" });
    await page.getByText("Connected", { exact: true }).waitFor();
    await slot().getByText("No app is running").waitFor();
    const installed = page.getByRole("list", { name: "Installed apps" }).getByRole("listitem");
    await expect.poll(() => installed.count(), { timeout: DEADLINE_MS }).toBe(2);
    expect(await page.getByText("running", { exact: true }).count()).toBe(1);
    // The robot, what happens, and the table; each once; the page may open others.
    const needed = ["/api/events", "/ws/scene", "/ws/state"];
    const openConnections = () => ({
      missing: needed.filter((path) => !connections.includes(path)),
      twice: connections.filter((path, i) => connections.indexOf(path) !== i),
    });
    await expect.poll(openConnections, { timeout: DEADLINE_MS }).toEqual({ missing: [], twice: [] });

    await button("Start obedient").click();
    await slot().getByText("Running", { exact: true }).waitFor();
    await button("Stop").click();
    await slot().getByText("Finished").waitFor();
    await page.getByText("stopped", { exact: true }).waitFor();
    expect(await page.getByText("running", { exact: true }).count()).toBe(2);
    expect(await page.evaluate("window.stayed")).toBe(true);
  });

  test("puts objects on the table, takes one away and resets the world after asking", async () => {
    await button("Objects on the table").click();
    const objects = page.getByRole("list", { name: "Objects", exact: true }).getByRole("listitem");
    await button("Ball").click();
    await objects.getByText("ball 1").waitFor();
    await button("Box").click();
    await objects.getByText("box 1").waitFor();
    await button("Remove ball 1").click();
    await objects.getByText("ball 1").waitFor({ state: "detached" });
    await button("Reset the simulation…").click();
    await page.getByRole("dialog").getByRole("button", { name: "Cancel" }).click();
    expect(await objects.count()).toBe(1);
    await button("Reset the simulation…").click();
    await page.getByRole("dialog").getByRole("button", { name: "Reset" }).click();
    await page.getByText("The table is empty.").waitFor();
    await page.keyboard.press("Escape");
    await page.getByText("The table is empty.").waitFor({ state: "detached" });
  });

  test("installs an app of the community, chooses it for the wake-up and removes it after asking", async () => {
    await page.getByRole("tab", { name: "Installed" }).focus();
    await page.keyboard.press("ArrowRight");
    const offers = page.getByRole("list", { name: "Apps of the community" });
    await page.getByLabel("Search the community's apps").fill("maker side");
    await page.getByText(/^1 of \d+ apps$/).waitFor();
    await button(/^Install look_around/).click();
    const ended = offers.getByText("Installed", { exact: true }).or(page.locator(".job-error"));
    await ended.waitFor();
    expect(await ended.textContent()).toContain("Installed");

    await page.getByRole("tab", { name: "Installed" }).click();
    await page.getByLabel("Start on wake-up").selectOption({ index: 1 });
    await page.getByText("starts on wake-up").waitFor();
    await button(/^Remove look_around/).click();
    await page.getByRole("dialog").getByRole("button", { name: "Remove" }).click();
    await button(/^Remove look_around/).waitFor({ state: "detached" });
  });

  test("another app starts in one click in place of the one that runs; a failure shows its cause first", async () => {
    await button("Start obedient").click();
    await slot().getByText("Running", { exact: true }).waitFor();
    await button("Stop obedient and start crash_in_run").click();
    await slot().getByRole("heading", { name: "crash_in_run" }).waitFor();
    await slot().getByText("Failed", { exact: true }).waitFor();
    expect(await slot().locator(".failure p").first().textContent()).toMatch(/^\w*Error/);
    const download = page.waitForEvent("download");
    await slot().getByRole("link", { name: "Download the log" }).click();
    expect(await readFile(await (await download).path(), "utf8")).toContain("Traceback");
  });

  test("the page of an app has its runs with their logs, and deletes its data", async () => {
    await button("crash_in_run").first().click();
    const dialog = page.getByRole("dialog", { name: "crash_in_run" });
    const run = dialog.getByRole("list", { name: "Runs of crash_in_run" }).getByRole("listitem").first();
    await run.getByText(/exited with code 1/).waitFor();
    expect(await run.locator(".run-cause").textContent()).toMatch(/^\w*Error/);
    expect(await dialog.locator("dd > .badge").textContent()).toBe("Not certified");
    const download = page.waitForEvent("download");
    await run.getByRole("link", { name: /^Download the log/ }).click();
    expect(await readFile(await (await download).path(), "utf8")).toContain("Traceback");

    await writeFile(join(environment.root, "work/crash_in_run/notes.txt"), "remember");
    await page.keyboard.press("Escape");
    await dialog.waitFor({ state: "detached" });
    expect(await page.evaluate("document.activeElement.textContent")).toBe("crash_in_run");
    await page.keyboard.press("Enter");
    await dialog.getByRole("button", { name: "Reset its data…" }).click();
    await page.getByRole("button", { name: "Delete" }).click();
    await dialog.getByText(/data 0 kB/).waitFor();
    await dialog.getByRole("checkbox").check();
    const details = async () =>
      (await (await fetch(`${daemon.url}/api/apps/details/crash_in_run`)).json()) as Record<string, unknown>;
    // The page shows the choice before the daemon has it.
    await waitFor(DEADLINE_MS, "the choice is kept", async () => (await details()).restart_after_crash === true);
    expect((await details()).data_bytes).toBe(0);
    await dialog.getByRole("checkbox").uncheck();
    await page.keyboard.press("Escape");
  });

  test("the settings of an app open in the dashboard, also of one that does not run yet", async () => {
    await addPagedApp(environment.sitePackages, settings.port);
    await page.reload();
    await button("Settings of paged").click();
    const dialog = page.getByRole("dialog", { name: "Settings of paged" });
    await dialog.getByText("paged serves its settings while it runs.").waitFor();
    const violations = await accessibilityViolations(page, "settings of an app that does not run");
    await dialog.getByRole("button", { name: "Start paged" }).click();
    const frame = page.frameLocator("iframe[title='Settings of paged']");
    await frame.locator("html").waitFor();
    expect(await frame.locator("title").textContent()).toBe("another site");
    violations.push(...(await accessibilityViolations(page, "settings")));
    expect(violations).toEqual([]);
    await page.keyboard.press("Escape");
    await dialog.waitFor({ state: "detached" });
    await button("Stop").click();
    await slot().getByText("Finished").waitFor();
  });

  test("has no violation that axe finds, in any state, theme and width, and everything is reached by keyboard", async () => {
    const found = await accessibilityViolations(page, "a failed app");
    await button("Start obedient").click();
    await slot().getByText("Running", { exact: true }).waitFor();
    found.push(...(await accessibilityViolations(page, "a running app")));
    await button("Objects on the table").click();
    await button("Ball").click();
    found.push(...(await accessibilityViolations(page, "the table")));
    await page.keyboard.press("Escape");
    await button(/^Remove crash_in_run/).click();
    found.push(...(await accessibilityViolations(page, "a dialog")));
    await page.keyboard.press("Escape");
    await button("crash_in_run").first().click();
    await page.getByRole("list", { name: "Runs of crash_in_run" }).waitFor();
    found.push(...(await accessibilityViolations(page, "the page of an app")));
    await page.keyboard.press("Escape");
    await page.getByRole("button", { name: "obedient", exact: true }).first().click();
    const speed = page.getByRole("spinbutton", { name: "speed" });
    await speed.fill("50");
    await speed.press("Tab");
    await page.getByRole("button", { name: "Use the defaults" }).click();
    await waitFor(DEADLINE_MS, "the default is shown", async () => (await speed.inputValue()) === "100");
    found.push(...(await accessibilityViolations(page, "settings that an app declares")));
    await page.keyboard.press("Escape");
    await button("New app").click();
    found.push(...(await accessibilityViolations(page, "a new app")));
    await page.keyboard.press("Escape");
    await page.getByRole("heading", { name: "Move by hand" }).click();
    found.push(...(await accessibilityViolations(page, "moving by hand")));
    await page.getByRole("tab", { name: "Community" }).click();
    await page.getByRole("list", { name: "Apps of the community" }).waitFor();
    found.push(...(await accessibilityViolations(page, "the community")));
    await page.getByRole("tab", { name: "Installed" }).click();
    const docs = await browser.newPage();
    await docs.goto(`${daemon.url}/docs`);
    found.push(...(await accessibilityViolations(docs, "/docs")));
    await docs.close();
    expect(found).toEqual([]);

    const touched = page.waitForResponse(/simulation\/touch\/left/);
    await button("Left").focus();
    await page.keyboard.press("Enter");
    expect((await touched).status()).toBe(200);
  });

  test("shows the angles of the joints to a browser without WebGL, and follows them", async () => {
    const flat = await openBrowser(browserPath ?? "", ["--disable-3d-apis"]);
    try {
      const opened = await flat.newPage();
      opened.setDefaultTimeout(DEADLINE_MS);
      await opened.goto(daemon.url);
      const robot = opened.getByRole("region", { name: "The robot" });
      await robot.getByText("This browser cannot draw the robot: it has no WebGL").waitFor();
      const antenna = robot.getByRole("row", { name: /^left_antenna −?\d+°$/ });
      const before = await antenna.textContent();
      await opened.getByRole("button", { name: /^(Wake up|Sleep)$/, disabled: false }).click();
      await waitFor(DEADLINE_MS, "the angle changes", async () => (await antenna.textContent()) !== before);
      const found = await accessibilityViolations(opened, "the table of joints");
      expect(found).toEqual([]);
      expect(await robot.locator("canvas").isVisible()).toBe(false);
      expect(await robot.getByRole("button", { name: "Reset the camera" }).count()).toBe(0);
      expect(await robot.getByText(/THREE|Error/).count()).toBe(0);
    } finally {
      await flat.close();
    }
  });

  test("says that the hub cannot be reached, and the time of the cached list", async () => {
    await page.getByRole("tab", { name: "Community" }).click();
    const offers = page.getByRole("list", { name: "Apps of the community" });
    await offers.waitFor();
    await page.getByLabel("Search the community's apps").fill("maker side");
    await hub.close();
    await button("Reload from the hub").click();
    await page.getByText("The hub cannot be reached.").waitFor();
    await page.getByText(/This list was loaded (a moment|.*) ago\./).waitFor();
    expect(await offers.getByRole("listitem").count()).toBe(1);
  });
});
