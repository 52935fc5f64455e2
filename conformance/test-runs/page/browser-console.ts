import { existsSync } from "node:fs";
import { delimiter, join } from "node:path";
import { PROGRAM_ANSWER_MS } from "../../../common/machine/load-execa.ts";

const NAMES = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"];
/** Milliseconds for its scripts to run once a page is loaded. */
const SETTLE_MS = 700;

/** Path of an installed Chromium, or null. The variable `CHROMIUM` names another one. */
export function findBrowser(env: Readonly<Record<string, string | undefined>>): string | null {
  if (env.CHROMIUM) return env.CHROMIUM;
  const folders = (env.PATH ?? "").split(delimiter);
  return NAMES.flatMap((name) => folders.map((folder) => join(folder, name))).find((path) => existsSync(path)) ?? null;
}

/** Loads the library that drives the browser, if it is installed. */
export const loadBrowserDriver = (): Promise<void> =>
  import("playwright-core").then(
    () => {},
    () => {},
  );

/** What a person presses on a page, and how many of those are pressed. */
const PRESSED = "button, [role=button], input[type=button], input[type=submit], input[type=checkbox], summary";
const MOST_PRESSED = 20;
const PRESS_MS = 400;

/** How Chromium reports a file that it could not get. */
const NOT_LOADED = /^Failed to load resource|ERR_(?:NAME_NOT_RESOLVED|INTERNET_DISCONNECTED|CONNECTION|ADDRESS)/;

/** What a browser showed of a page. */
export interface ConsoleFacts {
  /** Uncaught exceptions, `console.error` calls, files of the page's own origin that do not load. */
  errors: readonly string[];
  /** Scripts of other servers that did not load: without them, errors say nothing about the page. */
  unreachedScripts: readonly string[];
}

/**
 * Opens a page in a browser, and presses its buttons. Returns the errors on its console until then. A font or a picture of another server that does not load is
 * none: app and browser do not reach the internet.
 * @param executablePath path of a Chromium
 * @throws Error when playwright-core is not installed, or the browser does not start or load the page in time; the
 *   signal's reason
 */
export async function readConsoleErrors(
  executablePath: string,
  url: string,
  signal: AbortSignal,
): Promise<ConsoleFacts> {
  const { chromium } = await import("playwright-core");
  const args = ["--no-sandbox", "--disable-gpu", "--no-first-run"];
  const browser = await chromium.launch({ executablePath, args, timeout: PROGRAM_ANSWER_MS });
  const close = () => void browser.close();
  signal.addEventListener("abort", close);
  try {
    signal.throwIfAborted();
    const page = await browser.newPage({ ignoreHTTPSErrors: true });
    const errors: string[] = [];
    const unreachedScripts: string[] = [];
    const isElsewhere = (address: string) => URL.canParse(address) && new URL(address).host !== new URL(url).host;
    page.on("requestfailed", (request) => {
      if (request.resourceType() === "script" && isElsewhere(request.url())) unreachedScripts.push(request.url());
    });
    page.on("pageerror", (error) => errors.push(String(error)));
    page.on("console", (message) => {
      // Every browser requests the icon, and no page needs one.
      const { url: source } = message.location();
      const isOfOtherServer = NOT_LOADED.test(message.text()) && isElsewhere(source);
      if (message.type() === "error" && !source.endsWith("/favicon.ico") && !isOfOtherServer)
        errors.push(`${message.text()} ${source}`.trim());
    });
    await page.goto(url, { timeout: PROGRAM_ANSWER_MS });
    await page.waitForTimeout(SETTLE_MS);
    const shown = { errors: [...errors], unreachedScripts: [...unreachedScripts] };
    const buttons = await page.locator(PRESSED).all();
    for (const button of buttons.slice(0, MOST_PRESSED))
      await button.click({ timeout: PRESS_MS, noWaitAfter: true }).catch(() => {});
    return shown;
  } finally {
    signal.removeEventListener("abort", close);
    await browser.close();
  }
}
