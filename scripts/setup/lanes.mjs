// Runs suites in lanes: a lane's suites one after another, the lanes at the same time.
import { SUITES } from "./suites.mjs";

/** @typedef {import("./suites.mjs").Counts & { name: string, seconds: number }} SuiteResult */

/**
 * The first lane of a group prints as it runs; what the others print follows when a suite of the first one is over. Suites
 * that calculate run beside suites that mostly wait. The browser draws without a graphics card, which takes all cores.
 */
const GROUPS = [
  [
    ["check", "unit", "integration"],
    ["sdk", "features"],
  ],
  [["browser"]],
];

/** @param {number} began milliseconds of `performance.now()` */
export const secondsSince = (began) => Math.round((performance.now() - began) / 1000);

/**
 * Runs the suites and prints their output and counts.
 * @param {string[]} names suites to run
 * @param {string[]} patterns select tests of them; all when empty
 * @returns {Promise<SuiteResult[]>} in the order of their ends
 */
export async function runSuites(names, patterns) {
  /** @type {SuiteResult[]} */
  const results = [];
  for (const group of GROUPS) {
    const [first = [], ...others] = group
      .map((lane) => lane.filter((name) => names.includes(name)))
      .filter((lane) => lane.length > 0);
    /** What the other lanes have printed since the last suite of the first lane. @type {string[]} */
    const held = [];
    const flush = () => process.stdout.write(held.splice(0).join(""));
    const inFirstLane = runLane(first, patterns, results, flush);
    const inOthers = others.map((lane) => runLane(lane, patterns, results, () => {}, held));
    await inFirstLane;
    await Promise.all(inOthers);
    flush();
  }
  return results;
}

/**
 * @param {string[]} names
 * @param {string[]} patterns
 * @param {SuiteResult[]} results
 * @param {() => void} onEnd called after each suite
 * @param {string[]} [held] takes the output; without it, the output goes to this terminal
 */
async function runLane(names, patterns, results, onEnd, held) {
  for (const name of names) {
    const began = performance.now();
    /** @type {string[]} */
    const output = [];
    const print = (/** @type {string} */ text) => void (held ? output.push(text) : process.stdout.write(text));
    print(`\n== ${name}\n`);
    const counts = await SUITES[name]?.(patterns, held && print);
    if (counts === undefined) throw new Error(`there is no suite ${name}`);
    print(`${name}: ${counts.passed} passed, ${counts.failed} failed, ${counts.skipped} skipped\n`);
    held?.push(...output);
    results.push({ ...counts, name, seconds: secondsSince(began) });
    onEnd();
  }
}
