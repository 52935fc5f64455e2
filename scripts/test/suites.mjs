// The test suites: how each is run, and its result from the runner's own report.
import { spawn } from "node:child_process";
import { createWriteStream, existsSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { finished } from "node:stream/promises";
import { FIRST_SCENARIOS, FIRST_SDK, FIRST_SPAWNED_SCENARIOS } from "./first-tier.mjs";
import { addResults, nothing, readCucumberReport, readPytestReport, readVitestReport } from "./results.mjs";

/** @typedef {import("./results.mjs").SuiteResult} SuiteResult */

/**
 * Scenarios that run at the same time, alone and beside another suite. Most of a scenario is waiting for a robot that moves in
 * real time, so cores can be shared. Beside Vitest they need not hurry, and robots that are simulated in real time must not starve.
 */
const SCENARIOS_AT_ONCE = { alone: 8, beside: 2 };
/** Processes that run Python tests at the same time. */
const PYTHON_WORKERS = 3;
/** Exit code of pytest when no test matches. */
const NO_TESTS = 5;

/**
 * How the command of a suite runs.
 * @typedef {object} RunOptions
 * @property {NodeJS.ProcessEnv} [env] added to the environment
 * @property {string | undefined} [log] a file that takes its output, because another suite runs beside it; shown when there is none
 * @property {AbortSignal} [signal] cancels the run; what has been started is left to `endProcesses`
 */

/**
 * Which tests of a suite run; see `planTests`.
 * @typedef {RunOptions & Pick<import("./plan.mjs").Plan, "tier" | "patterns" | "options">} SuiteOptions
 */

/**
 * Runs the tests of one of the suites that are not of Vitest.
 * @param {string} name
 * @param {SuiteOptions} options
 */
export async function runSuite(name, options) {
  const began = performance.now();
  // A suite may be more than one command.
  if (options.log !== undefined) rmSync(options.log, { force: true });
  const run = name === "check" ? runCheck : name === "sdk" ? runPytest : runScenarios;
  return { ...(await run(options)), seconds: (performance.now() - began) / 1000 };
}

/** @param {SuiteOptions} options @returns {Promise<SuiteResult>} */
async function runScenarios(options) {
  const atOnce = options.log === undefined ? SCENARIOS_AT_ONCE.alone : SCENARIOS_AT_ONCE.beside;
  const shard = options.options.filter((option) => option.startsWith("--shard"));
  const run = (/** @type {string[]} */ args, /** @type {NodeJS.ProcessEnv} */ env = {}) =>
    runFeatures(["--parallel", String(atOnce), ...shard, ...args], { ...options, env: { ...options.env, ...env } });
  if (options.tier === "all") return run(selectScenarios(options.patterns));
  const here = await run(FIRST_SCENARIOS);
  return addResults(here, await run(FIRST_SPAWNED_SCENARIOS, { FEATURES_TARGET: "spawn" }));
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
  const file = log === undefined ? undefined : createWriteStream(log, { flags: "a" });
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
 * Runs projects of vitest.config.ts with one start of Vitest.
 * @param {readonly string[]} projects
 * @param {SuiteOptions} options
 * @returns {Promise<Record<string, SuiteResult>>} the result of each suite
 */
export async function runVitest(projects, options) {
  const report = "artifacts/vitest.json";
  rmSync(report, { force: true });
  const chosen = projects.flatMap((name) => ["--project", name]);
  const reporters = ["--reporter=default", "--reporter=./scripts/test/vitest-reporter.mjs"];
  const args = ["run", "--passWithNoTests", ...chosen, ...reporters, ...options.options, ...options.patterns];
  const env = { ...options.env, VITEST_REPORT: report };
  const code = await runCommand("node_modules/.bin/vitest", args, { ...options, env });
  const text = readReport(report);
  const results = text === undefined ? {} : readVitestReport(text);
  if (Object.values(results).some(({ failed }) => failed > 0)) return results;
  const [first = "unit"] = projects;
  return { ...results, [first]: withCrash("vitest", code, results[first] ?? nothing(), options) };
}

/** @param {SuiteOptions} options @returns {Promise<SuiteResult>} */
async function runPytest(options) {
  const { patterns, tier } = options;
  const report = "artifacts/pytest.xml";
  rmSync(report, { force: true });
  const select = patterns.length === 0 ? [] : ["-k", patterns.map((word) => word.replace(/\W+/g, "_")).join(" or ")];
  const inTier = tier === "all" ? [] : FIRST_SDK;
  const args = [
    "-m",
    "pytest",
    "-q",
    "-n",
    String(PYTHON_WORKERS),
    `--junitxml=${report}`,
    "sdk/tests",
    ...inTier,
    ...select,
  ];
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
