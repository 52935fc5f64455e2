// npm run mutants [-- --shard 1/4] [-- --repetitions 20] [-- --jobs 2] [-- --again] [-- --keep] [-- words]: judges every
// broken app of fixtures/broken-apps and every good one of fixtures/good-apps, and prints which requirement caught which.
// Rows that are done are kept in docs/data, so that repetitions add up, and are not run again, unless the suite or the app
// has changed or --again is given; --keep also keeps them after a change of the suite, for one that cannot affect them.
// Two shards side by side are done sooner with --jobs 2: a rig that waits uses a processor, too.
// npm run mutants -- --cheating [words]: certifies the apps of fixtures/cheating-apps, which hide what they violate, and prints
// their verdicts. Those that attack processes and files run only where bubblewrap works.
// npm run mutants -- --docs: writes the rows that are kept into docs/certifying-trust.md.
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { buildCheatingTable, type CheatingRow, formatCheatingTable } from "../conformance/testing/cheating-table.ts";
import { replaceTable } from "../conformance/testing/docs-tables.ts";
import { buildKillTable, formatKillTable, type Row as KillRow } from "../conformance/testing/kill-table.ts";
import { GOOD_APPS, MUTANTS } from "../conformance/testing/mutants.ts";
import { fingerprint } from "../scripts/setup/fingerprint.mjs";
import { buildPrograms, checkNode } from "../scripts/setup/prepare.mjs";
import { StepFailed, script } from "../scripts/setup/steps.mjs";
import { appendRow, readRows, writeRows } from "./mutants/rows.ts";

const RESULTS = "docs/data";
const FILE = `${RESULTS}/broken-and-good-apps.jsonl`;
const CHEATING_FILE = `${RESULTS}/cheating-apps.jsonl`;
const PAGE = "docs/certifying-trust.md";
/** What decides how an app is judged. */
const SUITE = ["certify", "evidence", "requirements", "runner", "test-runs"].map((name) => `conformance/${name}`);

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    shard: { type: "string", default: "1/1" },
    repetitions: { type: "string", default: "1" },
    jobs: { type: "string", default: "4" },
    again: { type: "boolean", default: false },
    keep: { type: "boolean", default: false },
    cheating: { type: "boolean", default: false },
    docs: { type: "boolean", default: false },
  },
});

type Row = KillRow & { suite: string };
const judgedRows = (): Row[] => readRows(FILE, ({ name, repetition }) => `${name} ${repetition}`);
const cheatingRows = (): CheatingRow[] => readRows(CHEATING_FILE, ({ name }) => name);

/** Rows in the order of the fixtures. */
function inOrder(rows: Row[]) {
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

async function judgeCheats(words: string[]) {
  const judged = await buildCheatingTable(words, (row) => {
    const mark = row.problem === null ? "ok  " : "FAIL";
    console.error(`${mark} ${row.name}: ${row.verdict} (${row.failed.join(", ")}) ${row.problem ?? ""}`);
    appendRow(CHEATING_FILE, row);
  });
  console.log(formatCheatingTable(judged));
  process.exitCode = judged.every(({ problem }) => problem === null) ? 0 : 1;
}

async function judgeApps(words: string[]) {
  const [index, count] = values.shard.split("/").map(Number);
  const [repetitions, jobs] = [Number(values.repetitions), Number(values.jobs)];
  if (!index || !count || index > count || !Number.isInteger(repetitions) || !Number.isInteger(jobs) || jobs < 1)
    throw new StepFailed(
      "--shard takes a part as 1/4, --repetitions and --jobs a whole number from 1, for example 20 and 2.",
    );
  const suite = fingerprint(SUITE);
  const rows = await buildKillTable({
    words,
    shard: { index, count },
    repetitions,
    jobs,
    known: values.again ? [] : judgedRows().filter((row) => values.keep || row.suite === suite),
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
  mkdirSync(RESULTS, { recursive: true });
  if (values.docs) return writeDocs();
  await buildPrograms();
  await (values.cheating ? judgeCheats(positionals) : judgeApps(positionals));
});
