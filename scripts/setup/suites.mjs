// Runs one test suite and reads its counts from the runner's own report.
import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";

/** @typedef {{ passed: number, failed: number, skipped: number }} Counts */

/**
 * Runs a command with its output shown; resolves with its exit code.
 * @param {string} command
 * @param {string[]} args
 * @param {NodeJS.ProcessEnv} [env]
 * @returns {Promise<number>}
 */
export function show(command, args, env = {}) {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { stdio: ["ignore", "inherit", "inherit"], env: { ...process.env, ...env } });
    child.on("error", reject);
    child.on("close", (code) => resolve(code ?? 1));
  });
}

/**
 * Counts of a suite; a suite that failed without naming a failed test (a crash, a syntax error) counts as one failure.
 * @param {number} exitCode
 * @param {Counts} counts
 * @returns {Counts}
 */
const honest = (exitCode, counts) => (exitCode !== 0 && counts.failed === 0 ? { ...counts, failed: 1 } : counts);

/** @param {string[]} extra @returns {Promise<Counts>} */
export async function runVitest(extra) {
  const report = "artifacts/vitest.json";
  const code = await show("node_modules/.bin/vitest", [
    "run",
    "--reporter=default",
    "--reporter=json",
    `--outputFile.json=${report}`,
    ...extra,
  ]);
  const { numPassedTests, numFailedTests, numPendingTests } = JSON.parse(readFileSync(report, "utf8"));
  return honest(code, { passed: numPassedTests, failed: numFailedTests, skipped: numPendingTests });
}

/** @param {string[]} extra @returns {Promise<Counts>} */
export async function runPytest(extra) {
  const report = "artifacts/pytest.xml";
  const code = await show(".venv/bin/python", ["-m", "pytest", "-q", `--junitxml=${report}`, "sdk/tests", ...extra]);
  const suite = /<testsuite [^>]*>/.exec(readFileSync(report, "utf8"))?.[0] ?? "";
  const number = (/** @type {string} */ name) => Number(new RegExp(`${name}="(\\d+)"`).exec(suite)?.[1] ?? 0);
  const [tests, skipped, failed] = [number("tests"), number("skipped"), number("failures") + number("errors")];
  return honest(code, { passed: tests - skipped - failed, failed, skipped });
}

/** @param {string[]} extra @param {NodeJS.ProcessEnv} [env] @returns {Promise<Counts>} */
export async function runFeatures(extra, env = {}) {
  const report = "artifacts/features.ndjson";
  const code = await show(
    process.execPath,
    ["--import", "tsx", "node_modules/@cucumber/cucumber/bin/cucumber.js", "--format", `message:${report}`, ...extra],
    env,
  );
  const envelopes = readFileSync(report, "utf8")
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));
  const attempts = new Map();
  for (const { testStepFinished: done } of envelopes) {
    if (!done) continue;
    const worst = attempts.get(done.testCaseStartedId);
    if (worst === undefined || worst === "PASSED") attempts.set(done.testCaseStartedId, done.testStepResult.status);
  }
  const counts = { passed: 0, failed: 0, skipped: 0 };
  for (const status of attempts.values())
    counts[status === "PASSED" ? "passed" : status === "SKIPPED" ? "skipped" : "failed"] += 1;
  return honest(code, counts);
}
