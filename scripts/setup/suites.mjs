// The test suites: how each is run, and its counts from the runner's own report.
import { spawn } from "node:child_process";
import { existsSync, readdirSync, readFileSync, rmSync } from "node:fs";

/** @typedef {{ passed: number, failed: number, skipped: number }} Counts */

/** Scenarios that run at the same time. Most of a scenario is waiting for a robot that moves in real time, so cores can be shared. */
const SCENARIOS_AT_ONCE = 4;
/** Long scenarios that differ little from others run in `npm run features` only. */
const NOT_THOROUGH = ["--tags", "not @thorough"];
const NONE = { passed: 0, failed: 0, skipped: 0 };

/**
 * Each suite takes patterns; it runs the tests whose file or title contains one of them, or all tests when there is none.
 * @type {Record<string, (patterns: string[]) => Promise<Counts>>}
 */
export const SUITES = {
  check: runCheck,
  unit: (patterns) => runVitest("unit", patterns),
  integration: (patterns) => runVitest("integration", patterns),
  browser: (patterns) => runVitest("browser", patterns),
  mutants: (patterns) => runVitest("mutants", patterns),
  sdk: runPytest,
  features: (patterns) =>
    runFeatures([...NOT_THOROUGH, "--parallel", String(SCENARIOS_AT_ONCE), ...selectScenarios(patterns)]),
};

/** Feature files whose name contains a pattern; without any, the scenarios whose title does. @param {string[]} patterns */
function selectScenarios(patterns) {
  const files = readdirSync("features").filter((file) => patterns.some((pattern) => file.includes(pattern)));
  if (files.length > 0) return files.map((file) => `features/${file}`);
  return patterns.flatMap((pattern) => ["--name", pattern.replace(/[.*+?^${}()|[\]\\]/g, "\\$&")]);
}

/**
 * Runs a command with visible output; resolves with its exit code.
 * @param {string} command
 * @param {string[]} args
 * @param {NodeJS.ProcessEnv} [env]
 * @returns {Promise<number>}
 */
function runVisibly(command, args, env = {}) {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { stdio: ["ignore", "inherit", "inherit"], env: { ...process.env, ...env } });
    child.on("error", reject);
    child.on("close", (code) => resolve(code ?? 1));
  });
}

/**
 * Counts of a suite; a suite that failed without a failed test (a crash, a syntax error) counts as one failure.
 * @param {number} exitCode
 * @param {Counts} counts
 * @returns {Counts}
 */
const withCrash = (exitCode, counts) => (exitCode !== 0 && counts.failed === 0 ? { ...counts, failed: 1 } : counts);

/**
 * A report that a runner wrote in this run; undefined when it wrote none.
 * @param {string} path
 */
const readReport = (path) => (existsSync(path) ? readFileSync(path, "utf8") : undefined);

/** Types, lint, format and import directions count as one test. */
async function runCheck() {
  const code = await runVisibly(process.execPath, ["scripts/check.mjs"]);
  return code === 0 ? { ...NONE, passed: 1 } : { ...NONE, failed: 1 };
}

/** @param {string} project @param {string[]} patterns @returns {Promise<Counts>} */
async function runVitest(project, patterns) {
  const report = `artifacts/${project}.json`;
  rmSync(report, { force: true });
  const reporters = ["--reporter=default", "--reporter=json", `--outputFile.json=${report}`];
  const code = await runVisibly("node_modules/.bin/vitest", [
    "run",
    "--passWithNoTests",
    "--project",
    project,
    ...reporters,
    ...patterns,
  ]);
  const text = readReport(report);
  if (text === undefined) return withCrash(code, NONE);
  const { numPassedTests, numFailedTests, numPendingTests } = JSON.parse(text);
  return withCrash(code, { passed: numPassedTests, failed: numFailedTests, skipped: numPendingTests });
}

/** Processes that run Python tests at the same time. */
const PYTHON_WORKERS = 3;
/** Exit code of pytest when no test matches. */
const NO_TESTS = 5;

/** @param {string[]} patterns @returns {Promise<Counts>} */
async function runPytest(patterns) {
  const report = "artifacts/pytest.xml";
  rmSync(report, { force: true });
  const select = patterns.length === 0 ? [] : ["-k", patterns.map((word) => word.replace(/\W+/g, "_")).join(" or ")];
  const args = ["-m", "pytest", "-q", "-n", String(PYTHON_WORKERS), `--junitxml=${report}`, "sdk/tests", ...select];
  const code = await runVisibly(".venv/bin/python", args);
  const suite = /<testsuite [^>]*>/.exec(readReport(report) ?? "")?.[0] ?? "";
  const number = (/** @type {string} */ name) => Number(new RegExp(`${name}="(\\d+)"`).exec(suite)?.[1] ?? 0);
  const [tests, skipped, failed] = [number("tests"), number("skipped"), number("failures") + number("errors")];
  return withCrash(code === NO_TESTS ? 0 : code, { passed: tests - skipped - failed, failed, skipped });
}

/** @param {string[]} extra @param {NodeJS.ProcessEnv} [env] @returns {Promise<Counts>} */
export async function runFeatures(extra, env = {}) {
  const report = "artifacts/features.ndjson";
  rmSync(report, { force: true });
  const code = await runVisibly(
    process.execPath,
    ["--import", "tsx", "node_modules/@cucumber/cucumber/bin/cucumber.js", "--format", `message:${report}`, ...extra],
    env,
  );
  const lines = (readReport(report) ?? "").split("\n").filter((line) => line !== "");
  const envelopes = lines.map((line) => JSON.parse(line));
  const attempts = new Map();
  for (const { testStepFinished: done } of envelopes) {
    if (!done) continue;
    const worst = attempts.get(done.testCaseStartedId);
    if (worst === undefined || worst === "PASSED") attempts.set(done.testCaseStartedId, done.testStepResult.status);
  }
  const counts = { passed: 0, failed: 0, skipped: 0 };
  for (const status of attempts.values())
    counts[status === "PASSED" ? "passed" : status === "SKIPPED" ? "skipped" : "failed"] += 1;
  return withCrash(code, counts);
}
