// npm test: sets everything up, runs every suite, prints counts, times, the slowest tests and the failed ones.
// npm test -- <words>: a suite by its name (check, unit, integration, browser, mutants, sdk, features), or the tests whose file
// or title contains a word: `npm test -- unit`, `npm test -- lifecycle`, `npm test -- features startup`.
// npm test -- changed: the tests that the changes of this branch can affect.
import { mkdirSync } from "node:fs";
import { changedFiles, planFor } from "./setup/changed.mjs";
import { leavingNothing } from "./setup/end-processes.mjs";
import { buildPrograms, checkNode, installDependencies } from "./setup/prepare.mjs";
import { preparePython } from "./setup/python-env.mjs";
import { handleSignals, interruption, script, step } from "./setup/steps.mjs";
import { OTHER_SUITES, runSuite, runVitest, VITEST_SUITES } from "./setup/suites.mjs";
import { prepareBrowser, prepareRedis } from "./setup/system-programs.mjs";

/** Tests that are shown at the end. */
const SLOWEST = 10;

await script(async () => {
  checkNode();
  handleSignals();
  const began = performance.now();
  await prepare();
  const setUp = secondsSince(began);
  const words = process.argv.slice(2);
  const jobs = words.includes("changed") ? planChanged() : planNamed(words);
  if (jobs.length === 0) return;
  const onLeft = (/** @type {string} */ text) => interruption.signal.aborted || console.log(`left behind: ${text}`);
  report(await leavingNothing((env) => runJobs(jobs, env), onLeft), setUp, secondsSince(began));
});

/** @param {number} began */
function secondsSince(began) {
  return (performance.now() - began) / 1000;
}

async function prepare() {
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
}

/**
 * A run of one suite, or of several with one start of Vitest.
 * @typedef {{ suites: string[], words: string[] }} Job
 */

/** @param {string[]} words the arguments @returns {Job[]} */
function planNamed(words) {
  const named = words.filter((word) => [...VITEST_SUITES, ...OTHER_SUITES].includes(word));
  const patterns = words.filter((word) => !named.includes(word));
  const isWanted = (/** @type {string} */ name) =>
    named.length > 0 ? named.includes(name) : name !== "check" || patterns.length === 0;
  const vitest = VITEST_SUITES.filter(isWanted);
  return [...(vitest.length > 0 ? [vitest] : []), ...OTHER_SUITES.filter(isWanted).map((name) => [name])].map(
    (suites) => ({ suites, words: patterns }),
  );
}

/** None when nothing has changed that a test depends on. @returns {Job[]} */
function planChanged() {
  const { base, files } = changedFiles();
  const { unit, files: filters, suites } = planFor(files);
  console.log(
    `\n${files.length} files have changed since ${base.slice(0, 10)}${unit ? "" : ", none that a test depends on"}.`,
  );
  return [
    ...(unit ? [{ suites: ["unit"], words: unit === "related" ? [`--changed=${base}`] : [] }] : []),
    ...(filters.length > 0 ? [{ suites: VITEST_SUITES.filter((name) => name !== "unit"), words: filters }] : []),
    ...suites.map((name) => ({ suites: [name], words: [] })),
  ];
}

/** @typedef {Record<string, import("./setup/test-reports.mjs").SuiteResult>} Results */

/**
 * Runs Vitest and, beside it, the other suites one after the other: scenarios wait for robots that move in real time, and leave
 * a third of the processor time.
 * @param {Job[]} jobs
 * @param {NodeJS.ProcessEnv} env
 */
async function runJobs(jobs, env) {
  const { signal } = interruption;
  /** @type {Results} */
  const results = {};
  const add = (/** @type {Results} */ more) => {
    Object.assign(results, more);
    for (const [name, { passed, failed, skipped }] of Object.entries(more))
      console.log(`${name}: ${passed} passed, ${failed} failed, ${skipped} skipped`);
  };
  const isVitest = (/** @type {Job} */ { suites: [first = ""] }) => VITEST_SUITES.includes(first);
  const beside = jobs.some(isVitest);
  const runVitestJobs = async () => {
    for (const { suites, words } of jobs.filter(isVitest)) add(await runVitest(suites, words, { env, signal }));
  };
  const runOtherJobs = async () => {
    for (const { suites, words } of jobs.filter((job) => !isVitest(job)))
      for (const name of suites) {
        const log = beside ? `artifacts/${name}.log` : undefined;
        console.log(log ? `${name} runs beside; its output is in ${log}` : `\n== ${name}`);
        add({ [name]: await runSuite(name, words, { env, signal, log }) });
      }
  };
  await Promise.all([runVitestJobs(), runOtherJobs()]);
  return results;
}

/**
 * @param {Results} results
 * @param {number} setUp seconds
 * @param {number} together seconds
 */
function report(results, setUp, together) {
  const all = Object.values(results);
  const sum = (/** @type {"passed" | "failed" | "skipped"} */ count) =>
    all.reduce((total, result) => total + result[count], 0);
  const slowest = all.flatMap(({ tests }) => tests).sort((one, other) => other.seconds - one.seconds);
  if (slowest.length > 0) console.log("\nThe slowest tests:");
  for (const { name, seconds } of slowest.slice(0, SLOWEST))
    console.log(`${seconds.toFixed(1).padStart(7)} s  ${name}`);
  if (sum("passed") + sum("failed") === 0) console.log("\nNo test matches.");
  // Again at the end, where nobody has to look for them.
  const failures = all.flatMap(({ failures }) => failures);
  for (const { file, title, message } of failures)
    console.log(`\nFAILED ${file}: ${title}\n${message.replace(/^/gm, "  ")}`);
  const times = Object.entries(results).map(([name, { seconds }]) => `${name} ${seconds.toFixed(0)} s`);
  console.log(`\ntimes: set-up ${setUp.toFixed(0)} s, ${times.join(", ")}; together ${together.toFixed(0)} s`);
  console.log(`${sum("passed")} passed, ${sum("failed")} failed, ${sum("skipped")} skipped`);
  // One line each, last: the messages may be many.
  for (const { file, title } of failures) console.log(`failed: ${file}: ${title}`);
  process.exitCode = sum("failed") === 0 && sum("passed") > 0 ? 0 : 1;
}
