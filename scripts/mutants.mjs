// npm run mutants [-- --shard 1/4] [-- --repetitions 20] [-- --jobs 2] [-- --again] [-- --keep] [-- words]: judges every
// broken app of fixtures/broken-apps and every good one of fixtures/good-apps, and prints which requirement caught which.
// Rows that are done are kept in docs/data, so that repetitions add up, and are not run again, unless the suite or the app
// has changed or --again is given; --keep also keeps them after a change of the suite, for one that cannot affect them.
// Two shards side by side are done sooner with --jobs 2: a rig that waits uses a processor, too.
// npm run mutants -- --cheating [words]: certifies the apps of fixtures/cheating-apps, which hide what they violate, and prints
// their verdicts. Those that attack processes and files run only where bubblewrap works.
// npm run mutants -- --docs: writes the rows that are kept into docs/certifying-trust.md.
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { buildCheatingTable, formatCheatingTable } from "../conformance/testing/cheating-table.ts";
import { replaceTable } from "../conformance/testing/docs-tables.ts";
import { buildKillTable, formatKillTable } from "../conformance/testing/kill-table.ts";
import { GOOD_APPS, MUTANTS } from "../conformance/testing/mutants.ts";
import { appendRow, readRows, writeRows } from "./mutants/rows.mjs";
import { fingerprint } from "./setup/fingerprint.mjs";
import { buildPrograms, checkNode } from "./setup/prepare.mjs";
import { StepFailed, script } from "./setup/steps.mjs";

const RESULTS = "docs/data";
const FILE = `${RESULTS}/broken-and-good-apps.jsonl`;
const CHEATING_FILE = `${RESULTS}/cheating-apps.jsonl`;
const PAGE = "docs/certifying-trust.md";
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

/** @typedef {import("../conformance/testing/kill-table.ts").Row & { suite: string }} Row */
/** @typedef {import("../conformance/testing/cheating-table.ts").CheatingRow} CheatingRow */

/** @returns {Row[]} */
const judgedRows = () => readRows(FILE, ({ name, repetition }) => `${name} ${repetition}`);
/** @returns {CheatingRow[]} */
const cheatingRows = () => readRows(CHEATING_FILE, ({ name }) => name);

/** Rows in the order of the fixtures. @param {Row[]} rows */
function inOrder(rows) {
  const names = [...Object.keys(MUTANTS), ...Object.keys(GOOD_APPS)];
  const known = rows.filter(({ name }) => names.includes(name));
  return known.sort(
    (one, other) => names.indexOf(one.name) - names.indexOf(other.name) || one.repetition - other.repetition,
  );
}

function writeDocs() {
  const [judged, cheating] = [inOrder(judgedRows()), cheatingRows()];
  writeRows(FILE, judged);
  writeRows(CHEATING_FILE, cheating);
  const page = replaceTable(readFileSync(PAGE, "utf8"), "broken and good apps", formatKillTable(judged));
  writeFileSync(PAGE, replaceTable(page, "cheating apps", formatCheatingTable(cheating)));
}

/** @param {string[]} words */
async function judgeCheats(words) {
  const judged = await buildCheatingTable(words, (row) => {
    const mark = row.problem === null ? "ok  " : "FAIL";
    console.error(`${mark} ${row.name}: ${row.verdict} (${row.failed.join(", ")}) ${row.problem ?? ""}`);
    appendRow(CHEATING_FILE, row);
  });
  console.log(formatCheatingTable(judged));
  process.exitCode = judged.every(({ problem }) => problem === null) ? 0 : 1;
}

/** @param {string[]} options */
async function judgeApps(options) {
  const [index, count] = take(options, "shard", "1/1").split("/").map(Number);
  const repetitions = Number(take(options, "repetitions", "1"));
  const jobs = Number(take(options, "jobs", "4"));
  if (!index || !count || index > count || !Number.isInteger(repetitions) || !Number.isInteger(jobs) || jobs < 1)
    throw new StepFailed(
      "--shard takes a part as 1/4, --repetitions and --jobs a whole number from 1, for example 20 and 2.",
    );
  const [again, keep] = [takeFlag(options, "again"), takeFlag(options, "keep")];
  const suite = fingerprint(SUITE);
  const rows = await buildKillTable({
    words: options,
    shard: { index, count },
    repetitions,
    jobs,
    known: again ? [] : judgedRows().filter((row) => keep || row.suite === suite),
    now: () => performance.now(),
    onRow: async (row) => {
      appendRow(FILE, { suite, ...row });
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
  mkdirSync(RESULTS, { recursive: true });
  if (takeFlag(options, "docs")) return writeDocs();
  await buildPrograms();
  await (takeFlag(options, "cheating") ? judgeCheats(options) : judgeApps(options));
});
