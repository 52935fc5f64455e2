import { existsSync } from "node:fs";
import { delimiter, join } from "node:path";

const NAMES = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"];
/** Milliseconds until the browser is started, until a page is loaded, and for its scripts to run after that. */
const START_MS = 15_000;
const LOAD_MS = 8000;
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

/**
 * Opens a page in a browser and returns the errors on its console: uncaught exceptions, `console.error` calls, files
 * that do not load.
 * @param executablePath path of a Chromium
 * @throws Error when playwright-core is not installed, or the browser does not start or load the page in time; the
 *   signal's reason
 */
export async function readConsoleErrors(executablePath: string, url: string, signal: AbortSignal): Promise<string[]> {
  const { chromium } = await import("playwright-core");
  const args = ["--no-sandbox", "--disable-gpu", "--no-first-run"];
  const browser = await chromium.launch({ executablePath, args, timeout: START_MS });
  const close = () => void browser.close();
  signal.addEventListener("abort", close);
  try {
    signal.throwIfAborted();
    const page = await browser.newPage();
    const errors: string[] = [];
    page.on("pageerror", (error) => errors.push(String(error)));
    page.on("console", (message) => {
      // Every browser requests the icon, and no page needs one.
      const { url: source } = message.location();
      if (message.type() === "error" && !source.endsWith("/favicon.ico"))
        errors.push(`${message.text()} ${source}`.trim());
    });
    await page.goto(url, { timeout: LOAD_MS });
    await page.waitForTimeout(SETTLE_MS);
    return errors;
  } finally {
    signal.removeEventListener("abort", close);
    await browser.close();
  }
}
