// What the test runners report: counts, and the tests that failed.

/**
 * @typedef {object} SuiteResult
 * @property {number} passed
 * @property {number} failed
 * @property {number} skipped
 * @property {Failure[]} failures
 * @property {{ name: string, seconds: number }[]} tests how long each test took
 * @property {number} seconds from the beginning of the suite to its end
 */

/** The result of a suite without tests. @returns {SuiteResult} */
export const nothing = () => ({ passed: 0, failed: 0, skipped: 0, failures: [], tests: [], seconds: 0 });

/**
 * The results of two runs of one suite, as one.
 * @param {SuiteResult} one @param {SuiteResult} other @returns {SuiteResult}
 */
export const addResults = (one, other) => ({
  passed: one.passed + other.passed,
  failed: one.failed + other.failed,
  skipped: one.skipped + other.skipped,
  failures: [...one.failures, ...other.failures],
  tests: [...one.tests, ...other.tests],
  seconds: one.seconds + other.seconds,
});

/** Characters of a message that are repeated at the end of all tests. */
const MESSAGE_LENGTH = 600;

/**
 * A failed test with its file and the beginning of its message.
 * @typedef {{ file: string, title: string, message: string }} Failure
 */

/** @param {string} file @param {string} title @param {string} message @returns {Failure} */
const failure = (file, title, message) => ({ file, title, message: message.slice(0, MESSAGE_LENGTH).trimEnd() });

/**
 * A test file of Vitest, as `vitest-reporter.mjs` writes it.
 * @typedef {object} VitestFile
 * @property {string} suite
 * @property {string} file
 * @property {{ name: string, state: string, seconds: number, message: string }[]} tests
 * @property {string} message of errors outside of tests
 */

/**
 * Reads the report of `vitest-reporter.mjs`.
 * @param {string} text
 * @returns {Record<string, SuiteResult>} the result of each suite
 */
export function readVitestReport(text) {
  const { times, files } = /** @type {{ times: Record<string, number>, files: VitestFile[] }} */ (JSON.parse(text));
  /** @type {Record<string, SuiteResult>} */
  const results = {};
  for (const { suite, file, tests, message } of files) {
    results[suite] ??= { ...nothing(), seconds: times[suite] ?? 0 };
    const result = results[suite];
    for (const test of tests) {
      result[test.state === "passed" || test.state === "failed" ? test.state : "skipped"] += 1;
      if (test.state === "failed") result.failures.push(failure(file, test.name, test.message));
      result.tests.push({ name: `${file}: ${test.name}`, seconds: test.seconds });
    }
    // An error of a hook fails no test, and those of a file that does not load are not known.
    if (message === "") continue;
    result.failed += 1;
    result.failures.push(failure(file, "an error outside of its tests", message));
  }
  return results;
}

/** @type {Record<string, string>} */
const ENTITIES = { amp: "&", lt: "<", gt: ">", quot: '"', apos: "'" };

/** @param {string} text */
const unescapeXml = (text) =>
  text
    .replace(/&#(x?)([0-9a-f]+);/gi, (_all, hex, digits) =>
      String.fromCodePoint(Number.parseInt(digits, hex ? 16 : 10)),
    )
    .replace(/&(amp|lt|gt|quot|apos);/g, (all, name) => ENTITIES[name] ?? all);

/**
 * Reads the JUnit report of pytest.
 * @param {string} text
 * @returns {SuiteResult}
 */
export function readPytestReport(text) {
  const attribute = (/** @type {string} */ tag, /** @type {string} */ name) =>
    unescapeXml(new RegExp(`\\s${name}="([^"]*)"`).exec(tag)?.[1] ?? "");
  const suite = /<testsuite [^>]*>/.exec(text)?.[0] ?? "";
  const number = (/** @type {string} */ name) => Number(attribute(suite, name));
  const failures = [];
  for (const [, test = "", problem = ""] of text.matchAll(/(<testcase [^>]*[^/]>)\s*(<(?:failure|error) [^>]*>)/g))
    failures.push(failure(attribute(test, "classname"), attribute(test, "name"), attribute(problem, "message")));
  const tests = [...text.matchAll(/<testcase [^>]*>/g)].map(([tag]) => ({
    name: `${attribute(tag, "classname")}: ${attribute(tag, "name")}`,
    seconds: Number(attribute(tag, "time")),
  }));
  const [count, skipped, failed] = [number("tests"), number("skipped"), number("failures") + number("errors")];
  return { ...nothing(), passed: count - skipped - failed, failed, skipped, failures, tests };
}

/**
 * Reads the messages of Cucumber, one JSON object in each line.
 * @param {string} text
 * @returns {SuiteResult}
 */
export function readCucumberReport(text) {
  const envelopes = text
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line));
  /** The first step of each scenario that did not pass, or null. @type {Map<string, { status: string, message?: string } | null>} */
  const scenarios = new Map();
  for (const { testStepFinished: step } of envelopes) {
    if (!step || scenarios.get(step.testCaseStartedId)) continue;
    scenarios.set(step.testCaseStartedId, step.testStepResult.status === "PASSED" ? null : step.testStepResult);
  }
  const byId = (/** @type {string} */ kind) =>
    new Map(envelopes.flatMap(({ [kind]: message }) => (message ? [[message.id, message]] : [])));
  const [pickles, cases, started] = [byId("pickle"), byId("testCase"), byId("testCaseStarted")];
  const ends = new Map(
    envelopes.flatMap(({ testCaseFinished: end }) => (end ? [[end.testCaseStartedId, secondsOf(end.timestamp)]] : [])),
  );
  const result = nothing();
  for (const [id, step] of scenarios) {
    result[step === null ? "passed" : step.status === "SKIPPED" ? "skipped" : "failed"] += 1;
    const pickle = pickles.get(cases.get(started.get(id)?.testCaseId)?.pickleId);
    const seconds = (ends.get(id) ?? 0) - secondsOf(started.get(id)?.timestamp);
    result.tests.push({ name: `${pickle?.uri}: ${pickle?.name}`, seconds });
    if (step === null || step.status === "SKIPPED") continue;
    result.failures.push(failure(pickle?.uri ?? "", pickle?.name ?? id, step.message ?? step.status));
  }
  return result;
}

/** @param {{ seconds: number, nanos: number } | undefined} timestamp */
const secondsOf = (timestamp) => (timestamp?.seconds ?? 0) + (timestamp?.nanos ?? 0) / 1e9;
