// npm test: sets everything up, runs every suite, prints counts, times and the failed tests.
// npm test -- <words>: a suite by its name (check, unit, integration, browser, mutants, sdk, features), or the tests whose file
// or title contains a word: `npm test -- unit`, `npm test -- lifecycle`, `npm test -- features startup`.
import { mkdirSync } from "node:fs";
import { prepareBrowser } from "./setup/browser.mjs";
import { buildPrograms, checkNode, installDependencies } from "./setup/prepare.mjs";
import { preparePython } from "./setup/python-env.mjs";
import { prepareRedis } from "./setup/redis.mjs";
import { script, step } from "./setup/steps.mjs";
import { SUITES } from "./setup/suites.mjs";

const seconds = (/** @type {number} */ since) => `${((performance.now() - since) / 1000).toFixed(0)} s`;

await script(async () => {
  checkNode();
  const began = performance.now();
  const words = process.argv.slice(2);
  const named = words.filter((word) => word in SUITES);
  const patterns = words.filter((word) => !(word in SUITES));
  console.log("Preparing the tests:");
  const [browser] = await Promise.all([
    // One after the other: both may install packages of the system.
    prepareBrowser().then(async (found) => {
      await prepareRedis();
      return found;
    }),
    preparePython(),
    installDependencies().then(() => buildPrograms()),
  ]);
  if (browser) process.env.CHROMIUM = browser;
  const { prepareTestApps } = await import("./setup/test-apps.mjs");
  await prepareTestApps(step);
  mkdirSync("artifacts", { recursive: true });
  const times = [`set-up ${seconds(began)}`];

  const total = { passed: 0, failed: 0, skipped: 0 };
  const failures = [];
  for (const [name, run] of Object.entries(SUITES)) {
    if (named.length > 0 ? !named.includes(name) : name === "check" && patterns.length > 0) continue;
    console.log(`\n== ${name}`);
    const start = performance.now();
    const result = await run(patterns);
    times.push(`${name} ${seconds(start)}`);
    console.log(`${name}: ${result.passed} passed, ${result.failed} failed, ${result.skipped} skipped`);
    total.passed += result.passed;
    total.failed += result.failed;
    total.skipped += result.skipped;
    failures.push(...result.failures);
  }
  if (total.passed + total.failed === 0) console.log(`\nNo test matches ${patterns.join(" ")}.`);
  // Again at the end, where nobody has to look for them.
  for (const failure of failures) console.log(`\nFAILED ${failure}`);
  console.log(`\ntimes: ${times.join(", ")}; together ${seconds(began)}`);
  console.log(`${total.passed} passed, ${total.failed} failed, ${total.skipped} skipped`);
  process.exitCode = total.failed === 0 && total.passed > 0 ? 0 : 1;
});
