// The test suites: how each is run, and its result from the runner's own report.
import { spawn } from "node:child_process";
import { existsSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { readCucumberReport, readPytestReport, readVitestReport } from "./test-reports.mjs";

/** @typedef {import("./test-reports.mjs").SuiteResult} SuiteResult */

/** Scenarios that run at the same time. Most of a scenario is waiting for a robot that moves in real time, so cores can be shared. */
const SCENARIOS_AT_ONCE = 4;
/** Long scenarios that differ little from others run in `npm run features` only. */
const NOT_THOROUGH = ["--tags", "not @thorough"];
/** @type {SuiteResult} */
const NONE = { passed: 0, failed: 0, skipped: 0, failures: [] };

/**
 * Each suite takes patterns; it runs the tests whose file or title contains one of them, or all tests when there is none.
 * @type {Record<string, (patterns: string[]) => Promise<SuiteResult>>}
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
 * Result of a suite; a suite that failed without a failed test (a crash, a syntax error) counts as one failure.
 * @param {string} name
 * @param {number} exitCode
 * @param {SuiteResult} result
 * @returns {SuiteResult}
 */
const withCrash = (name, exitCode, result) =>
  exitCode !== 0 && result.failed === 0
    ? { ...result, failed: 1, failures: [...result.failures, `${name} ended with exit code ${exitCode}: see above.`] }
    : result;

/**
 * A report that a runner wrote in this run; undefined when it wrote none.
 * @param {string} path
 */
const readReport = (path) => (existsSync(path) ? readFileSync(path, "utf8") : undefined);

/** Types, lint, format and import directions count as one test. */
async function runCheck() {
  const code = await runVisibly(process.execPath, ["scripts/check.mjs"]);
  return withCrash("npm run check", code, code === 0 ? { ...NONE, passed: 1 } : NONE);
}

/** @param {string} project @param {string[]} patterns @returns {Promise<SuiteResult>} */
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
  return withCrash(`vitest of ${project}`, code, text === undefined ? NONE : readVitestReport(text, process.cwd()));
}

/** Processes that run Python tests at the same time. */
const PYTHON_WORKERS = 3;
/** Exit code of pytest when no test matches. */
const NO_TESTS = 5;

/** @param {string[]} patterns @returns {Promise<SuiteResult>} */
async function runPytest(patterns) {
  const report = "artifacts/pytest.xml";
  rmSync(report, { force: true });
  const select = patterns.length === 0 ? [] : ["-k", patterns.map((word) => word.replace(/\W+/g, "_")).join(" or ")];
  const args = ["-m", "pytest", "-q", "-n", String(PYTHON_WORKERS), `--junitxml=${report}`, "sdk/tests", ...select];
  const code = await runVisibly(".venv/bin/python", args);
  const text = readReport(report);
  return withCrash("pytest", code === NO_TESTS ? 0 : code, text === undefined ? NONE : readPytestReport(text));
}

/** @param {string[]} extra @param {NodeJS.ProcessEnv} [env] @returns {Promise<SuiteResult>} */
export async function runFeatures(extra, env = {}) {
  const report = "artifacts/features.ndjson";
  rmSync(report, { force: true });
  const code = await runVisibly(
    process.execPath,
    ["--import", "tsx", "node_modules/@cucumber/cucumber/bin/cucumber.js", "--format", `message:${report}`, ...extra],
    env,
  );
  return withCrash("cucumber", code, readCucumberReport(readReport(report) ?? ""));
}
