// The end of `npm test`: times, the slowest tests, the failed ones and the counts of all suites.

/** Tests that are shown as the slowest. */
const SLOWEST = 10;

/**
 * Prints the report; true when a test has run and none failed.
 * @param {Record<string, import("./results.mjs").SuiteResult>} results
 * @param {number} setUp seconds
 * @param {number} together seconds
 */
export function printReport(results, setUp, together) {
  const all = Object.values(results);
  const sum = (/** @type {"passed" | "failed" | "skipped"} */ count) =>
    all.reduce((total, result) => total + result[count], 0);
  const slowest = all.flatMap(({ tests }) => tests).sort((one, other) => other.seconds - one.seconds);
  if (slowest.length > 0) console.log("\nThe slowest tests:");
  for (const { name, seconds } of slowest.slice(0, SLOWEST))
    console.log(`${seconds.toFixed(1).padStart(7)} s  ${name}`);
  if (sum("passed") + sum("failed") === 0) console.log("\nNo test matches.");
  // Again at the end, where nobody has to look for them.
  const failures = all.flatMap(({ failures }) => failures);
  for (const { file, title, message } of failures)
    console.log(`\nFAILED ${file}: ${title}\n${message.replace(/^/gm, "  ")}`);
  const times = Object.entries(results).map(([name, { seconds }]) => `${name} ${seconds.toFixed(0)} s`);
  console.log(`\ntimes: set-up ${setUp.toFixed(0)} s, ${times.join(", ")}; together ${together.toFixed(0)} s`);
  console.log(`${sum("passed")} passed, ${sum("failed")} failed, ${sum("skipped")} skipped`);
  // One line each, last: the messages may be many.
  for (const { file, title } of failures) console.log(`failed: ${file}: ${title}`);
  return sum("failed") === 0 && sum("passed") > 0;
}
