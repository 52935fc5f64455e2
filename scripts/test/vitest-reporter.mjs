// A reporter of Vitest: writes what each suite (a project of vitest.config.ts) did to the file that VITEST_REPORT names.
import { writeFileSync } from "node:fs";
import { suiteOf } from "./plan.mjs";

/** @typedef {import("./results.mjs").VitestFile} VitestFile */

export default class SuiteReporter {
  /** When the first file of each suite began and the last one ended. @type {Map<string, { began: number, ended: number }>} */
  #times = new Map();

  /** @param {import("vitest/node").TestModule} file */
  onTestModuleStart({ project }) {
    const now = performance.now();
    if (!this.#times.has(suiteOf(project.name))) this.#times.set(suiteOf(project.name), { began: now, ended: now });
  }

  /** @param {import("vitest/node").TestModule} file */
  onTestModuleEnd({ project }) {
    const times = this.#times.get(suiteOf(project.name));
    if (times) times.ended = performance.now();
  }

  /** @param {readonly import("vitest/node").TestModule[]} files */
  onTestRunEnd(files) {
    const path = process.env.VITEST_REPORT;
    if (path === undefined) return;
    const times = Object.fromEntries(
      [...this.#times].map(([name, { began, ended }]) => [name, (ended - began) / 1000]),
    );
    writeFileSync(path, JSON.stringify({ times, files: files.map(describeFile) }));
  }
}

/** @param {import("vitest/node").TestModule} file @returns {VitestFile} */
function describeFile(file) {
  const tests = [...file.children.allTests()].map((test) => {
    const { state, errors } = test.result();
    const seconds = (test.diagnostic()?.duration ?? 0) / 1000;
    return { name: test.fullName, state, seconds, message: messageOf(errors) };
  });
  return { suite: suiteOf(file.project.name), file: file.relativeModuleId, tests, message: messageOf(allErrors(file)) };
}

/** Errors outside of tests: of the file itself and of its hooks. @param {import("vitest/node").TestModule} file */
const allErrors = (file) => [...file.errors(), ...[...file.children.allSuites()].flatMap((suite) => suite.errors())];

/**
 * @typedef {object} TestError
 * @property {string} [message]
 * @property {string} [stack] of a test that took too long: without its message
 * @property {TestError} [cause] of a failed property: what it threw
 */

/** @param {readonly TestError[] | undefined} errors */
const messageOf = (errors) => (errors ?? []).map(describeError).join("\n");

/** The cause first, because what comes after a long message is cut off. @param {TestError} error @returns {string} */
function describeError({ message = "", stack = "", cause }) {
  const own = stack.includes(message) ? stack : `${message}\n${stack}`;
  return typeof cause?.message === "string" ? `${cause.message}\n${own}` : own;
}
