// npm test: sets everything up, then proves every mechanism once: the first tier. Prints counts, times and the failed tests.
// npm test -- all: all tests.
// npm test -- <words>: suites by their names (check, unit, sdk, features, integration, browser, mutants), or the tests whose file or
// title contains a word: `npm test -- unit`, `npm test -- lifecycle`, `npm test -- features startup`.
// Options are for Vitest, and `--shard=1/4` for Cucumber too: `npm test -- unit --changed`, `npm test -- all --shard=1/4`.
import { mkdirSync } from "node:fs";
import { buildPrograms, checkNode, installDependencies } from "./setup/prepare.mjs";
import { preparePython } from "./setup/python-env.mjs";
import { handleSignals, interruption, script, step } from "./setup/steps.mjs";
import { prepareBrowser, prepareRedis } from "./setup/system-programs.mjs";
import { leavingNothing } from "./test/end-processes.mjs";
import { planTests } from "./test/plan.mjs";
import { printReport } from "./test/report.mjs";
import { runSuite, runVitest } from "./test/suites.mjs";

/** @typedef {import("./test/plan.mjs").Plan} Plan */
/** @typedef {Record<string, import("./test/results.mjs").SuiteResult>} Results */

await script(async () => {
  checkNode();
  handleSignals();
  const began = performance.now();
  const plan = planTests(process.argv.slice(2));
  await prepare(plan.tier);
  const setUp = secondsSince(began);
  const onLeft = (/** @type {string} */ text) => interruption.signal.aborted || console.log(`left behind: ${text}`);
  const results = await leavingNothing((env) => runPlan(plan, env), onLeft);
  process.exitCode = printReport(results, setUp, secondsSince(began)) ? 0 : 1;
});

/** @param {number} began */
function secondsSince(began) {
  return (performance.now() - began) / 1000;
}

/** @param {Plan["tier"]} tier */
async function prepare(tier) {
  console.log("Preparing the tests:");
  const [browser] = await Promise.all([
    // One after the other: both may install packages of the system.
    prepareBrowser().then(async (found) => {
      if (tier === "all") await prepareRedis();
      return found;
    }),
    preparePython(),
    installDependencies().then(() => buildPrograms()),
  ]);
  if (browser) process.env.CHROMIUM = browser;
  const { prepareTestApps } = await import("./setup/test-apps.mjs");
  await prepareTestApps(step);
  mkdirSync("artifacts", { recursive: true });
}

/**
 * Runs Vitest and, beside it, the other suites one after the other: scenarios wait for robots that move in real time, and leave
 * a third of the processor time.
 * @param {Plan} plan
 * @param {NodeJS.ProcessEnv} env
 */
async function runPlan(plan, env) {
  const { signal } = interruption;
  const { projects, others, patterns, options, tier } = plan;
  /** @type {Results} */
  const results = {};
  const add = (/** @type {Results} */ more) => {
    Object.assign(results, more);
    for (const [name, { passed, failed, skipped }] of Object.entries(more))
      console.log(`${name}: ${passed} passed, ${failed} failed, ${skipped} skipped`);
  };
  const runOthers = async () => {
    for (const name of others) {
      const log = projects.length > 0 ? `artifacts/${name}.log` : undefined;
      console.log(log ? `${name} runs beside; its output is in ${log}` : `\n== ${name}`);
      add({ [name]: await runSuite(name, { env, signal, log, patterns, options, tier }) });
    }
  };
  const runProjects = async () => {
    if (projects.length > 0) add(await runVitest(projects, { env, signal, patterns, options, tier }));
  };
  await Promise.all([runProjects(), runOthers()]);
  return results;
}
