// Programs that tests need of the system: its own, or installed from Debian's packages where that is allowed.
import { spawnSync } from "node:child_process";
import { run, step } from "./steps.mjs";

const BROWSERS = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"];
const REDIS = ["redis-server", "valkey-server"];

/** Path of an installed chromium, or null. The environment variable `CHROMIUM` overrides it. */
function findBrowser() {
  if (process.env.CHROMIUM) return process.env.CHROMIUM;
  for (const name of BROWSERS) {
    const found = spawnSync("which", [name], { encoding: "utf8" });
    if (found.status === 0) return found.stdout.trim();
  }
  return null;
}

/** Name of an installed Redis or Valkey, or null. */
export const findRedis = () => REDIS.find((name) => spawnSync(name, ["--version"]).status === 0) ?? null;

export const prepareBrowser = () =>
  prepare(
    "browser",
    findBrowser,
    "chromium",
    "No chromium: the browser scenarios are skipped. Install it (apt install chromium) or set CHROMIUM=/path.",
  );

export const prepareRedis = () =>
  prepare(
    "redis",
    findRedis,
    "redis-server",
    "No redis-server: the tests of the queue are skipped. Install it (apt install redis-server).",
  );

/**
 * Finds a program or, as root on Debian, installs it; otherwise prints the problem and returns null.
 * @param {string} name
 * @param {() => string | null} find
 * @param {string} debianPackage
 * @param {string} problem
 */
function prepare(name, find, debianPackage, problem) {
  return step(name, async () => {
    const found = find();
    if (found) return found;
    try {
      await run("apt-get", ["update"]);
      await run("apt-get", ["install", "-y", "--no-install-recommends", debianPackage]);
    } catch {
      process.stdout.write(`    ${problem}\n`);
    }
    return find();
  });
}
