// What the test runners report: counts, and the tests that failed.

/**
 * @typedef {object} SuiteResult
 * @property {number} passed
 * @property {number} failed
 * @property {number} skipped
 * @property {string[]} failures each failed test with its file, its title and the beginning of its message
 */

/** Characters of a message that are repeated at the end of all tests. */
const MESSAGE_LENGTH = 600;

/** @param {string} where @param {string} title @param {string} message */
const failure = (where, title, message) =>
  `${where}: ${title}\n${message.slice(0, MESSAGE_LENGTH).trimEnd().replace(/^/gm, "  ")}`;

/**
 * Reads the JSON report of Vitest.
 * @param {string} text
 * @param {string} folder that file names are relative to
 * @returns {SuiteResult}
 */
export function readVitestReport(text, folder) {
  const { numPassedTests, numFailedTests, numPendingTests, testResults } = JSON.parse(text);
  const failures = [];
  for (const { name, status, message, assertionResults } of testResults) {
    const file = name.replace(`${folder}/`, "");
    const failed = assertionResults.filter((/** @type {{ status: string }} */ test) => test.status === "failed");
    for (const { fullName, failureMessages } of failed)
      failures.push(failure(file, fullName, failureMessages.join("\n")));
    if (failed.length === 0 && status === "failed") failures.push(failure(file, "the file failed", message));
  }
  return { passed: numPassedTests, failed: numFailedTests, skipped: numPendingTests, failures };
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
  const [tests, skipped, failed] = [number("tests"), number("skipped"), number("failures") + number("errors")];
  return { passed: tests - skipped - failed, failed, skipped, failures };
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
  const pickles = new Map(envelopes.filter(({ pickle }) => pickle).map(({ pickle }) => [pickle.id, pickle]));
  const cases = new Map(envelopes.filter(({ testCase }) => testCase).map(({ testCase }) => [testCase.id, testCase]));
  const started = new Map(
    envelopes
      .filter(({ testCaseStarted }) => testCaseStarted)
      .map(({ testCaseStarted }) => [testCaseStarted.id, testCaseStarted]),
  );
  const result = { passed: 0, failed: 0, skipped: 0, failures: /** @type {string[]} */ ([]) };
  for (const [id, step] of scenarios) {
    result[step === null ? "passed" : step.status === "SKIPPED" ? "skipped" : "failed"] += 1;
    if (step === null || step.status === "SKIPPED") continue;
    const pickle = pickles.get(cases.get(started.get(id)?.testCaseId)?.pickleId);
    result.failures.push(failure(pickle?.uri ?? "", pickle?.name ?? id, step.message ?? step.status));
  }
  return result;
}
