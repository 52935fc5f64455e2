// The apps' environment of features and bench: every fixture app, installed by the product's own installer.
import { existsSync, readdirSync } from "node:fs";
import { resolve } from "node:path";

/** A data folder of its own, away from the user's. */
export const TEST_DATA = resolve("artifacts/test-data");
const APPS = "fixtures/apps";

/** @param {typeof import("./steps.mjs").step} step */
export async function prepareTestApps(step) {
  const { prepareApp, prepareVenv } = await import(new URL("../../dist/daemon/prepare.js", import.meta.url).href);
  // The environment that certifications begin with, as `robot-app-assistant certify` keeps it.
  await prepareVenv({ dataDir: resolve("artifacts/certification"), sdkFolder: resolve("sdk"), env: process.env, step });
  for (const app of readdirSync(APPS)) {
    if (!existsSync(`${APPS}/${app}/pyproject.toml`)) continue;
    await prepareApp({
      dataDir: TEST_DATA,
      sdkFolder: resolve("sdk"),
      appFolder: resolve(APPS, app),
      env: process.env,
      step,
    });
  }
}
