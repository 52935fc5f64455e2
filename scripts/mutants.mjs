// npm run mutants [-- --shard 1/4] [-- --repetitions 20] [-- --again] [-- --keep] [-- words]: judges every broken app of
// fixtures/broken-apps and every good one of fixtures/good-apps, and prints which requirement caught which. Rows that are
// done are kept in artifacts/mutants.json and not run again, unless the suite or the app has changed or --again is given;
// --keep also keeps them after a change of the suite, for one that cannot affect them.
// npm run mutants -- --cheating [words]: certifies the apps of fixtures/cheating-apps, which hide what they violate, and prints
// their verdicts. Those that attack processes and files run only where bubblewrap works.
// npm run mutants -- --docs: writes the rows that are kept into docs/certifying.md.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { buildCheatingTable, formatCheatingTable } from "../conformance/testing/cheating-table.ts";
import { replaceTable } from "../conformance/testing/docs-tables.ts";
import { buildKillTable, formatKillTable } from "../conformance/testing/kill-table.ts";
import { GOOD_APPS, MUTANTS } from "../conformance/testing/mutants.ts";
import { fingerprint } from "./setup/fingerprint.mjs";
import { buildPrograms, checkNode } from "./setup/prepare.mjs";
import { StepFailed, script } from "./setup/steps.mjs";

const FILE = "artifacts/mutants.json";
const CHEATING_FILE = "artifacts/cheating.json";
const PAGE = "docs/certifying.md";
/** What decides how an app is judged. */
const SUITE = ["certify", "evidence", "requirements", "runner", "test-runs"].map((name) => `conformance/${name}`);

/** @param {string[]} options @param {string} name @param {string} usual */
function take(options, name, usual) {
  const at = options.indexOf(`--${name}`);
  return at < 0 ? usual : (options.splice(at, 2)[1] ?? "");
}

/** @param {string[]} options @param {string} name */
function takeFlag(options, name) {
  const at = options.indexOf(`--${name}`);
  if (at >= 0) options.splice(at, 1);
  return at >= 0;
}

/** @param {string} file */
const readJson = (file) => (existsSync(file) ? JSON.parse(readFileSync(file, "utf8")) : null);

/** @typedef {import("../conformance/testing/kill-table.ts").Row} Row */

/** Rows in the order of the fixtures. @param {Row[]} rows */
function inOrder(rows) {
  const names = [...Object.keys(MUTANTS), ...Object.keys(GOOD_APPS)];
  const known = rows.filter(({ name }) => names.includes(name));
  return known.sort(
    (one, other) => names.indexOf(one.name) - names.indexOf(other.name) || one.repetition - other.repetition,
  );
}

function writeDocs() {
  let page = readFileSync(PAGE, "utf8");
  const mutants = readJson(FILE);
  if (mutants !== null) page = replaceTable(page, "broken and good apps", formatKillTable(inOrder(mutants.rows)));
  const cheating = readJson(CHEATING_FILE);
  if (cheating !== null) page = replaceTable(page, "cheating apps", formatCheatingTable(cheating));
  writeFileSync(PAGE, page);
}

/** @param {string[]} words */
async function judgeCheats(words) {
  const rows = new Map((readJson(CHEATING_FILE) ?? []).map((/** @type {{name: string}} */ row) => [row.name, row]));
  const judged = await buildCheatingTable(words, (row) => {
    const mark = row.problem === null ? "ok  " : "FAIL";
    console.error(`${mark} ${row.name}: ${row.verdict} (${row.failed.join(", ")}) ${row.problem ?? ""}`);
    rows.set(row.name, row);
    writeFileSync(CHEATING_FILE, JSON.stringify([...rows.values()], null, 1));
  });
  console.log(formatCheatingTable(judged));
  process.exitCode = judged.every(({ problem }) => problem === null) ? 0 : 1;
}

/** @param {string[]} options */
async function judgeApps(options) {
  const [index, count] = take(options, "shard", "1/1").split("/").map(Number);
  const repetitions = Number(take(options, "repetitions", "1"));
  if (!index || !count || index > count || !Number.isInteger(repetitions))
    throw new StepFailed("--shard takes a part as 1/4, --repetitions a whole number, for example 20.");
  const [again, keep] = [takeFlag(options, "again"), takeFlag(options, "keep")];
  const suite = fingerprint(SUITE);
  // Read again for each row, since other shards may run beside this one.
  /** @returns {Row[]} */
  const readKnown = () => {
    const kept = readJson(FILE);
    return kept !== null && (keep || kept.suite === suite) ? kept.rows : [];
  };
  const rows = await buildKillTable({
    words: options,
    shard: { index, count },
    repetitions,
    known: again ? [] : readKnown(),
    now: () => performance.now(),
    onRow: async (row) => {
      const others = readKnown().filter(({ name, repetition }) => name !== row.name || repetition !== row.repetition);
      writeFileSync(FILE, JSON.stringify({ suite, rows: [...others, row] }, null, 1));
      console.error(
        `${row.problem === null ? "ok  " : "FAIL"} ${row.name} ${row.repetition} (${row.duration.toFixed(0)} s) ${row.problem ?? ""}`,
      );
    },
  });
  console.log(formatKillTable(rows));
  process.exitCode = rows.every(({ problem }) => problem === null) ? 0 : 1;
}

await script(async () => {
  checkNode();
  const options = process.argv.slice(2);
  mkdirSync("artifacts", { recursive: true });
  if (takeFlag(options, "docs")) return writeDocs();
  await buildPrograms();
  await (takeFlag(options, "cheating") ? judgeCheats(options) : judgeApps(options));
});
