// Tests that failed run once more, with nothing beside them: a machine that is busy fails those that wait for programs.
import { runSuite, runVitest, VITEST_SUITES } from "./suites.mjs";

/**
 * @typedef {import("./test-reports.mjs").SuiteResult} SuiteResult
 * @typedef {import("./test-reports.mjs").Failure} Failure
 */

/** With failures in more files of a suite than this, the program is at fault and not the machine. */
const MOST_FILES = 3;

/**
 * Runs the failed tests of every suite again. The types and the lint are not: they do not depend on the machine.
 * @param {Record<string, SuiteResult>} results
 * @param {import("./suites.mjs").RunOptions} options
 * @returns {Promise<{ results: Record<string, SuiteResult>, passedAlone: Failure[] }>} results that count what passed alone as passed,
 * and how that had failed before
 */
export async function runFailedAgain(results, options) {
  const merged = { ...results };
  /** @type {Failure[]} */
  const passedAlone = [];
  for (const [suite, first] of Object.entries(results)) {
    const files = new Set(first.failures.map(({ file }) => file));
    if (files.size === 0 || files.size > MOST_FILES || suite === "check") continue;
    console.log(`\n== ${suite}: the failed tests run again, alone`);
    const second = VITEST_SUITES.includes(suite)
      ? (await runVitest([suite], [...files], options))[suite]
      : await runSuite(suite, namesOf(first.failures), options);
    if (second === undefined) continue;
    const { result, passed } = mergeRuns(first, second);
    merged[suite] = result;
    passedAlone.push(...passed);
  }
  return { results: merged, passedAlone };
}

/** Titles, without the parameters of a test of pytest. @param {Failure[]} failures */
const namesOf = (failures) => [...new Set(failures.map(({ title }) => title.replace(/\[.*/, "")))];

/**
 * @param {SuiteResult} first
 * @param {SuiteResult} second of the files or tests that failed
 * @returns {{ result: SuiteResult, passed: Failure[] }} a failure stays unless the second run has tests of its file and it did not
 * fail there; what failed in the second run only is a failure as well
 */
export function mergeRuns(first, second) {
  const isIn = (/** @type {Failure[]} */ all, /** @type {Failure} */ { file, title }) =>
    all.some((one) => one.file === file && one.title === title);
  const hasRun = ({ file = "" }) => second.tests.some(({ name }) => name.startsWith(`${file}: `));
  const passed = first.failures.filter((failure) => hasRun(failure) && !isIn(second.failures, failure));
  const failures = [
    ...first.failures.filter((failure) => !isIn(passed, failure)),
    ...second.failures.filter((failure) => !isIn(first.failures, failure)),
  ];
  const count = first.passed + first.failed - failures.length;
  return { result: { ...first, passed: count, failed: failures.length, failures }, passed };
}
