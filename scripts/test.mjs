// npm test: sets everything up, runs every suite, prints the counts. `npm test -- vitest|pytest|features` runs one.
import { mkdirSync } from "node:fs";
import { prepareBrowser } from "./setup/browser.mjs";
import { buildPrograms, checkNode, installDependencies } from "./setup/prepare.mjs";
import { preparePython } from "./setup/python-env.mjs";
import { script, step } from "./setup/steps.mjs";
import { runFeatures, runPytest, runVitest, show } from "./setup/suites.mjs";

/** Scenarios that take long and differ little from others are left to `npm run features`. */
const SHORT = ["--tags", "not @thorough"];

/** @type {Record<string, () => Promise<import("./setup/suites.mjs").Counts>>} */
const SUITES = { vitest: () => runVitest([]), pytest: () => runPytest([]), features: () => runFeatures(SHORT) };

await script(async () => {
  checkNode();
  const wanted = process.argv.slice(2);
  console.log("Preparing the tests:");
  await installDependencies();
  await buildPrograms();
  await preparePython();
  const browser = await prepareBrowser();
  if (browser) process.env.CHROMIUM = browser;
  const { prepareTestApps } = await import("./setup/test-apps.mjs");
  await prepareTestApps(step);
  mkdirSync("artifacts", { recursive: true });

  const total = { passed: 0, failed: 0, skipped: 0 };
  const check = wanted.length === 0 ? await show(process.execPath, ["scripts/check.mjs"]) : 0;
  for (const [name, run] of Object.entries(SUITES)) {
    if (wanted.length > 0 && !wanted.includes(name)) continue;
    console.log(`\n== ${name}`);
    const counts = await run();
    console.log(`${name}: ${counts.passed} passed, ${counts.failed} failed, ${counts.skipped} skipped`);
    total.passed += counts.passed;
    total.failed += counts.failed;
    total.skipped += counts.skipped;
  }
  if (check !== 0) console.log("\nnpm run check failed (see above)");
  console.log(`\n${total.passed} passed, ${total.failed} failed, ${total.skipped} skipped`);
  process.exitCode = check === 0 && total.failed === 0 && total.passed > 0 ? 0 : 1;
});
