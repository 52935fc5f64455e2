// The browser of the tests: the system's chromium, installed from Debian's packages where that is allowed.
import { spawnSync } from "node:child_process";
import { run, step } from "./steps.mjs";

const NAMES = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"];

/** Path of an installed chromium, or null. The environment variable `CHROMIUM` overrides it. */
export function findBrowser() {
  if (process.env.CHROMIUM) return process.env.CHROMIUM;
  for (const name of NAMES) {
    const found = spawnSync("which", [name], { encoding: "utf8" });
    if (found.status === 0) return found.stdout.trim();
  }
  return null;
}

/** Finds chromium or, as root on Debian, installs it; otherwise prints the reason and returns null. */
export async function prepareBrowser() {
  return step("browser", async () => {
    const found = findBrowser();
    if (found) return found;
    try {
      await run("apt-get", ["update"]);
      await run("apt-get", ["install", "-y", "--no-install-recommends", "chromium"]);
    } catch {
      process.stdout.write(
        "    No chromium: the browser scenarios are skipped. Install it (apt install chromium) or set CHROMIUM=/path.\n",
      );
    }
    return findBrowser();
  });
}
