// npm test: sets everything up, runs every suite, prints counts and times.
// npm test -- <words>: a suite by its name (check, unit, integration, browser, sdk, features), or the tests whose file or title
// contains a word: `npm test -- unit`, `npm test -- lifecycle`, `npm test -- features startup`.
import { mkdirSync } from "node:fs";
import { prepareBrowser } from "./setup/browser.mjs";
import { runSuites, secondsSince } from "./setup/lanes.mjs";
import { buildPrograms, checkNode, installDependencies } from "./setup/prepare.mjs";
import { preparePython } from "./setup/python-env.mjs";
import { script, step } from "./setup/steps.mjs";
import { SUITES } from "./setup/suites.mjs";

await script(async () => {
  checkNode();
  const began = performance.now();
  const words = process.argv.slice(2);
  const named = words.filter((word) => word in SUITES);
  const patterns = words.filter((word) => !(word in SUITES));
  console.log("Preparing the tests:");
  const [browser] = await Promise.all([
    prepareBrowser(),
    preparePython(),
    installDependencies().then(() => buildPrograms()),
  ]);
  if (browser) process.env.CHROMIUM = browser;
  const { prepareTestApps } = await import("./setup/test-apps.mjs");
  await prepareTestApps(step);
  mkdirSync("artifacts", { recursive: true });
  const setUp = secondsSince(began);

  const chosen =
    named.length > 0 ? named : Object.keys(SUITES).filter((name) => name !== "check" || words.length === 0);
  const results = await runSuites(chosen, patterns);
  const total = { passed: 0, failed: 0, skipped: 0 };
  for (const { passed, failed, skipped } of results) {
    total.passed += passed;
    total.failed += failed;
    total.skipped += skipped;
  }
  if (total.passed + total.failed === 0) console.log(`\nNo test matches ${patterns.join(" ")}.`);
  const times = results.map(({ name, seconds }) => `${name} ${seconds} s`);
  console.log(`\ntimes: set-up ${setUp} s, ${times.join(", ")}; together ${secondsSince(began)} s`);
  console.log(`${total.passed} passed, ${total.failed} failed, ${total.skipped} skipped`);
  process.exitCode = total.failed === 0 && total.passed > 0 ? 0 : 1;
});
