// The test suites: how each is run, and its result from the runner's own report.
import { spawn } from "node:child_process";
import { createWriteStream, existsSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { finished } from "node:stream/promises";
import { nothing, readCucumberReport, readPytestReport, readVitestReport } from "./test-reports.mjs";

/** @typedef {import("./test-reports.mjs").SuiteResult} SuiteResult */

/**
 * Scenarios that run at the same time, alone and beside another suite. Most of a scenario is waiting for a robot that moves in
 * real time, so cores can be shared. Beside Vitest they need not hurry, and robots that are simulated in real time must not starve.
 */
const SCENARIOS_AT_ONCE = { alone: 8, beside: 2 };
/** Long scenarios that differ little from others run in `npm run features` only. */
const NOT_THOROUGH = ["--tags", "not @thorough"];
/** Processes that run Python tests at the same time. */
const PYTHON_WORKERS = 3;
/** Exit code of pytest when no test matches. */
const NO_TESTS = 5;

/** The projects of vitest.config.ts, which one Vitest runs one after the other. */
export const VITEST_SUITES = ["unit", "integration", "browser", "mutants"];
/**
 * The other suites, in their order beside Vitest. The scenarios run beside the unit tests, which compute and wait for nothing, and
 * not beside the broken apps, which need both cores.
 */
export const OTHER_SUITES = ["features", "check", "sdk"];

/**
 * How the command of a suite runs.
 * @typedef {object} RunOptions
 * @property {NodeJS.ProcessEnv} [env] added to the environment
 * @property {string | undefined} [log] a file that takes its output, because another suite runs beside it; shown when there is none
 * @property {AbortSignal} [signal] cancels the run; what has been started is left to `endProcesses`
 */

/**
 * Runs the tests of one of the other suites whose file or title contains one of the patterns; all when there is none.
 * @param {string} name
 * @param {string[]} patterns
 * @param {RunOptions} options
 */
export async function runSuite(name, patterns, options) {
  const began = performance.now();
  const result = await (name === "check"
    ? runCheck(options)
    : name === "sdk"
      ? runPytest(patterns, options)
      : runScenarios(patterns, options));
  return { ...result, seconds: (performance.now() - began) / 1000 };
}

/** @param {string[]} patterns @param {RunOptions} options */
function runScenarios(patterns, options) {
  const atOnce = options.log === undefined ? SCENARIOS_AT_ONCE.alone : SCENARIOS_AT_ONCE.beside;
  return runFeatures([...NOT_THOROUGH, "--parallel", String(atOnce), ...selectScenarios(patterns)], options);
}

/** Feature files whose name contains a pattern; without any, the scenarios whose title does. @param {string[]} patterns */
function selectScenarios(patterns) {
  const all = readdirSync("features", { recursive: true, encoding: "utf8" }).filter((file) =>
    file.endsWith(".feature"),
  );
  const files = all.filter((file) => patterns.some((pattern) => file.includes(pattern)));
  if (files.length > 0) return files.map((file) => `features/${file}`);
  return patterns.flatMap((pattern) => ["--name", pattern.replace(/[.*+?^${}()|[\]\\]/g, "\\$&")]);
}

/**
 * Runs a command; resolves with its exit code. With a signal, in a process group of its own: Ctrl-C reaches this script alone.
 * @param {string} command
 * @param {string[]} args
 * @param {RunOptions} options
 * @returns {Promise<number>}
 */
async function runCommand(command, args, { env, log, signal }) {
  const child = spawn(command, args, {
    stdio: ["ignore", log === undefined ? "inherit" : "pipe", log === undefined ? "inherit" : "pipe"],
    env: { ...process.env, ...env },
    detached: signal !== undefined,
  });
  const file = log === undefined ? undefined : createWriteStream(log);
  if (file) for (const stream of [child.stdout, child.stderr]) stream?.pipe(file, { end: false });
  /** @type {number} */
  const code = await new Promise((resolve, reject) => {
    child.on("error", reject);
    child.on("close", (code) => resolve(code ?? 1));
    signal?.addEventListener("abort", () => reject(signal.reason), { once: true });
  });
  if (file) await finished(file.end());
  return code;
}

/**
 * Result of a suite; a suite that failed without a failed test (a crash, a syntax error) counts as one failure.
 * @param {string} name
 * @param {number} exitCode
 * @param {SuiteResult} result
 * @param {RunOptions} options
 * @returns {SuiteResult}
 */
function withCrash(name, exitCode, result, { log }) {
  if (exitCode === 0 || result.failed > 0) return result;
  const output = log === undefined ? "see above" : `\n${readFileSync(log, "utf8").slice(-4000)}`;
  const failure = { file: name, title: `exit code ${exitCode}`, message: output };
  return { ...result, failed: 1, failures: [...result.failures, failure] };
}

/**
 * A report that a runner wrote in this run; undefined when it wrote none.
 * @param {string} path
 */
const readReport = (path) => (existsSync(path) ? readFileSync(path, "utf8") : undefined);

/** Types, lint, format and import directions count as one test. @param {RunOptions} options */
async function runCheck(options) {
  const code = await runCommand(process.execPath, ["scripts/check.mjs"], options);
  return withCrash("npm run check", code, { ...nothing(), passed: code === 0 ? 1 : 0 }, options);
}

/**
 * Runs suites of Vitest with one start.
 * @param {readonly string[]} suites
 * @param {readonly string[]} filters parts of file names, and options of Vitest
 * @param {RunOptions} options
 * @returns {Promise<Record<string, SuiteResult>>}
 */
export async function runVitest(suites, filters, options) {
  const report = `artifacts/vitest-${suites.join("-")}.json`;
  rmSync(report, { force: true });
  const projects = suites.flatMap((name) => ["--project", name]);
  const reporters = ["--reporter=default", "--reporter=./scripts/setup/suite-reporter.mjs"];
  const args = ["run", "--passWithNoTests", ...projects, ...reporters, ...filters];
  const env = { ...options.env, VITEST_REPORT: report };
  const code = await runCommand("node_modules/.bin/vitest", args, { ...options, env });
  const text = readReport(report);
  const results = text === undefined ? {} : readVitestReport(text);
  if (Object.values(results).some(({ failed }) => failed > 0)) return results;
  const [first = "unit"] = suites;
  return { ...results, [first]: withCrash("vitest", code, results[first] ?? nothing(), options) };
}

/** @param {string[]} patterns @param {RunOptions} options @returns {Promise<SuiteResult>} */
async function runPytest(patterns, options) {
  const report = "artifacts/pytest.xml";
  rmSync(report, { force: true });
  const select = patterns.length === 0 ? [] : ["-k", patterns.map((word) => word.replace(/\W+/g, "_")).join(" or ")];
  const args = ["-m", "pytest", "-q", "-n", String(PYTHON_WORKERS), `--junitxml=${report}`, "sdk/tests", ...select];
  const code = await runCommand(".venv/bin/python", args, options);
  const text = readReport(report);
  const result = text === undefined ? nothing() : readPytestReport(text);
  return withCrash("pytest", code === NO_TESTS ? 0 : code, result, options);
}

/** @param {string[]} extra @param {RunOptions} options @returns {Promise<SuiteResult>} */
export async function runFeatures(extra, options) {
  const report = "artifacts/features.ndjson";
  rmSync(report, { force: true });
  const cucumber = ["--import", "tsx", "node_modules/@cucumber/cucumber/bin/cucumber.js"];
  const code = await runCommand(process.execPath, [...cucumber, "--format", `message:${report}`, ...extra], options);
  return withCrash("cucumber", code, readCucumberReport(readReport(report) ?? ""), options);
}
