// What `npm test` runs for its arguments.

/** The projects of vitest.config.ts in their order; those that end in `-all` have what is not of the first tier. */
const PROJECTS = ["unit", "integration", "mutants", "browser", "integration-all", "mutants-all", "browser-all"];
/**
 * The other suites, in their order beside Vitest. The scenarios run beside the unit tests, which compute and wait for nothing, and
 * not beside certifications, which need both cores.
 */
const OTHER_SUITES = ["features", "check", "sdk"];
const SUITES = [...new Set([...PROJECTS.map(suiteOf), ...OTHER_SUITES])];

/** The suite of a project, which is how people name it and how its results are shown. @param {string} project */
export function suiteOf(project) {
  return project.replace(/-all$/, "");
}

/**
 * @typedef {object} Plan
 * @property {"first" | "all"} tier
 * @property {string[]} projects of vitest.config.ts, which one Vitest runs one after the other
 * @property {string[]} others suites of other runners
 * @property {string[]} patterns parts of files or titles; none for all tests
 * @property {string[]} options of Vitest, and `--shard` of Cucumber
 */

/**
 * `npm test` is the first tier and `npm test -- all` everything. Words choose from everything: who names a test means it.
 * @param {readonly string[]} args the arguments of `npm test`
 * @returns {Plan}
 */
export function planTests(args) {
  const options = args.filter((arg) => arg.startsWith("-"));
  const words = args.filter((arg) => !arg.startsWith("-") && arg !== "all");
  const named = words.filter((word) => SUITES.includes(word));
  const patterns = words.filter((word) => !SUITES.includes(word));
  const tier = args.includes("all") || words.length > 0 ? "all" : "first";
  const isWanted = (/** @type {string} */ suite) =>
    named.length > 0 ? named.includes(suite) : suite !== "check" || patterns.length === 0;
  // Cucumber and Vitest share their tests out; check and the SDK's tests are of the first shard.
  const isFirstShard = options.every((option) => !option.startsWith("--shard=") || option.startsWith("--shard=1/"));
  const inTier = PROJECTS.filter((project) => tier === "all" || suiteOf(project) === project);
  return {
    tier,
    projects: inTier.filter((project) => isWanted(suiteOf(project))),
    others: OTHER_SUITES.filter((suite) => isWanted(suite) && (isFirstShard || suite === "features")),
    patterns,
    options,
  };
}
