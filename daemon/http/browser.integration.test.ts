import { existsSync } from "node:fs";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import type { Browser, Frame, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { addPagedApp } from "../apps/testing/paged-app.ts";
import { browserPath, HOSTILE_SCRIPT, openBrowser, type Site, startOtherSite } from "./testing/browser.ts";
import { startTestDaemon, type TestDaemon } from "./testing/test-daemon.ts";

const TOKEN = "a-token-of-the-test";
const AUTHORIZED = { authorization: `Bearer ${TOKEN}` };
/** Milliseconds: the robot is drawn without a graphics card, which takes all of a busy machine. */
const DRAWN_MS = 200_000;
/** As the dashboard's frame of a settings page has it. */
const SANDBOX = "allow-scripts allow-forms allow-same-origin allow-modals allow-downloads allow-popups";

const skipReason = browserPath ? "" : " (skipped: no Chromium found; apt install chromium, or set CHROMIUM=/path)";

describe.skipIf(browserPath === undefined)(`in a real browser${skipReason}`, () => {
  let browser: Browser;
  let site: Site;
  let local: TestDaemon;
  let network: TestDaemon;
  beforeAll(async () => {
    [browser, site, local, network] = await Promise.all([
      openBrowser(browserPath ?? ""),
      startOtherSite(),
      startTestDaemon(["obedient"]),
      startTestDaemon(["obedient"], { token: TOKEN }),
    ]);
  });
  afterAll(async () => {
    await browser.close();
    site.close();
    await Promise.all([local.close(), network.close()]);
  });

  /** Opens a page in a new browser context. */
  const visit = async (url: string): Promise<Page> => {
    const context = await browser.newContext();
    context.setDefaultTimeout(DRAWN_MS);
    const page = await context.newPage();
    await page.goto(url);
    return page;
  };

  /** Opens a page and runs the hostile script in it. */
  const visitHostile = async (url: string): Promise<Page> => {
    const page = await visit(url);
    await page.evaluate(HOSTILE_SCRIPT);
    return page;
  };

  describe.each([
    ["another port of this machine", () => `http://127.0.0.1:${site.port}/`, () => local.url],
    ["another site", () => `http://evil.example:${site.port}/`, () => local.url],
    ["a name rebound to this machine", () => `http://evil.example:${new URL(local.url).port}/`, () => ""],
  ])("a page of %s", (_, address, target) => {
    test("cannot start, stop or install apps, listen, or move the robot", async () => {
      await local.json("/api/apps/start-app/obedient", "POST");
      const before = await local.json<{ state: string }>("/api/apps/current-app-status");
      const page = await visitHostile(address());
      const results = await page.evaluate<Record<string, string>>(`attack("${target()}")`);
      expect(results).toEqual(Object.fromEntries(Object.keys(results).map((name) => [name, "refused"])));
      expect(Object.keys(results).length).toBe(11);
      await page.context().close();

      const after = await local.json<{ state: string }>("/api/apps/current-app-status");
      expect(["starting", "running"]).toContain(after.state);
      expect(after).toMatchObject({ info: (before as unknown as { info: object }).info, error: null });
      expect(await local.json("/api/apps/jobs")).toEqual([]);
      expect(await local.json("/api/apps/startup-app")).toEqual({ startup_app: null });
      await local.json("/api/apps/stop-current-app", "POST");
    });
  });

  test("a page that sends its visitor to the daemon can show its pages, and make it do nothing", async () => {
    const follow = async (path: string): Promise<number> => {
      const page = await visit(`http://evil.example:${site.port}/`);
      const answered = page.waitForResponse(local.url + path);
      await page.evaluate(`location.assign(${JSON.stringify(local.url + path)})`);
      const status = (await answered).status();
      await page.context().close();
      return status;
    };
    expect(await follow("/docs")).toBe(200);
    expect(await follow("/api/move/recorded-move-datasets/list/somebody/moves")).toBe(403);
    expect(await follow("/api/apps/catalogue?refresh=true")).toBe(403);
    expect(existsSync(`${local.dataDir}/moves`)).toBe(false);
  });

  test("the daemon's own page can start and stop apps", async () => {
    const page = await visit(`${local.url}/docs`);
    const started = await page.evaluate(
      async () => (await fetch("/api/apps/start-app/obedient", { method: "POST" })).status,
    );
    const stopped = await page.evaluate(
      async () => (await fetch("/api/apps/stop-current-app", { method: "POST" })).status,
    );
    expect([started, stopped]).toEqual([200, 200]);
    await page.context().close();
  });

  test("the sign-in link is removed from the address, and the dashboard follows its own security policy", async () => {
    // A small page, because the robot is drawn without a graphics card.
    const context = await browser.newContext({ viewport: { width: 480, height: 320 } });
    context.setDefaultTimeout(DRAWN_MS);
    const page = await context.newPage();
    const errors: string[] = [];
    page.on("console", (message) => message.type() === "error" && errors.push(message.text()));
    page.on("pageerror", (error) => errors.push(error.message));
    await page.goto(`${network.url}/?token=${TOKEN}`);
    await page.waitForURL(`${network.url}/`);
    await page.getByText("obedient").first().waitFor();
    expect(await page.evaluate("document.cookie")).toBe("");
    expect(await page.evaluate("history.length")).toBeLessThanOrEqual(2);
    expect(errors).toEqual([]);
    await page.goto(`${network.url}/docs`);
    await page.getByRole("heading", { name: /robot-daemon/ }).waitFor();
    expect(errors).toEqual([]);
    await page.context().close();
  });

  test("a page of another port cannot use that cookie", async () => {
    const page = await visit(`${network.url}/?token=${TOKEN}`);
    await page.waitForURL(`${network.url}/`);
    await page.goto(`http://127.0.0.1:${site.port}/`);
    await page.evaluate(HOSTILE_SCRIPT);
    const results = await page.evaluate<Record<string, string>>(`attack("${network.url}")`);
    expect(results).toEqual(Object.fromEntries(Object.keys(results).map((name) => [name, "refused"])));
    expect(await network.json("/api/apps/current-app-status").catch(() => "needs the token")).toMatchObject({
      code: "token-required",
    });
    await page.context().close();
  });

  describe("the settings page of an app", () => {
    let signedIn: Page;
    beforeAll(async () => {
      // The page is the other site's, which stands for whatever an app serves.
      const [python = ""] = await readdir(join(network.dataDir, "venv/lib"));
      await addPagedApp(join(network.dataDir, "venv/lib", python, "site-packages"), site.port);
      await network.request("/api/apps/start-app/paged", { method: "POST", headers: AUTHORIZED });
      signedIn = await visit(`${network.url}/?token=${TOKEN}`);
      await signedIn.waitForURL(`${network.url}/`);
    });
    afterAll(async () => {
      await signedIn.context().close();
      await network.request("/api/apps/stop-current-app", { method: "POST", headers: AUTHORIZED });
    });

    test("opens in a frame of the dashboard, as another origin: it reaches neither the dashboard nor its token", async () => {
      const predicate = (each: Frame) => each.url().endsWith("/start?x=1");
      const framed = signedIn.waitForEvent("framenavigated", { predicate });
      await signedIn.evaluate(`document.body.append(Object.assign(document.createElement("iframe"), {
        src: "./apps/paged/page/start?x=1", sandbox: "${SANDBOX}" }))`);
      const frame = await framed;
      await frame.waitForLoadState();
      expect(await frame.title()).toBe("another site");
      expect(await frame.evaluate("document.cookie")).toBe("");
      await expect(frame.evaluate("parent.document.title")).rejects.toThrow(/cross-origin/);
      await expect(frame.evaluate("parent.fetch('/api/apps/list')")).rejects.toThrow(/cross-origin/);
      await frame.evaluate("void (top.location = '/elsewhere')").catch(() => {});
      expect(signedIn.url()).toBe(`${network.url}/`);
    });

    test("cannot start, stop or install apps, listen, or move the robot, with the dashboard's cookie either", async () => {
      const page = await signedIn.context().newPage();
      await page.goto(`${network.url}/apps/paged/page/`);
      expect(new URL(page.url()).origin).not.toBe(network.url);
      await page.evaluate(HOSTILE_SCRIPT);
      const results = await page.evaluate<Record<string, string>>(`attack("${network.url}")`);
      expect(results).toEqual(Object.fromEntries(Object.keys(results).map((name) => [name, "refused"])));
      const { text } = await network.request("/api/apps/current-app-status", { headers: AUTHORIZED });
      expect(JSON.parse(text)).toMatchObject({
        info: { name: "paged" },
        state: expect.stringMatching(/starting|running/),
      });
      await page.close();
    });

    test("opens in no frame of another site, and for nobody without the token", async () => {
      const at =
        signedIn
          .frames()
          .find((frame) => frame.url().endsWith("/start?x=1"))
          ?.url() ?? "";
      const stranger = await visit(`http://evil.example:${site.port}/`);
      const answered = stranger.waitForResponse(at);
      await stranger.evaluate(
        `document.body.append(Object.assign(document.createElement("iframe"), { src: "${at}" }))`,
      );
      expect((await answered).status()).toBe(403);
      await stranger.context().close();
      expect((await fetch(at)).status).toBe(401);
      expect((await fetch(`${network.url}/apps/paged/page/`)).status).toBe(401);
    });
  });
});
