// npm run mutants [-- --shard 1/4] [-- --repetitions 20] [-- --again] [-- words]: judges every broken app of
// fixtures/broken-apps and every good one of fixtures/good-apps, and prints which requirement killed which. Rows that are
// done are kept in artifacts/mutants.json and not run again, unless the build has changed or --again is given.
// npm run mutants -- --cheating [words]: certifies the apps of fixtures/cheating-apps, which hide what they violate, and prints
// their verdicts. Those that attack processes and files run only where bubblewrap works.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { buildCheatingTable, formatCheatingTable } from "../conformance/testing/cheating-table.ts";
import { buildKillTable, formatKillTable } from "../conformance/testing/kill-table.ts";
import { fingerprint } from "./setup/fingerprint.mjs";
import { buildPrograms, checkNode } from "./setup/prepare.mjs";
import { StepFailed, script } from "./setup/steps.mjs";

const FILE = "artifacts/mutants.json";

/** @param {string[]} options @param {string} name @param {string} usual */
function take(options, name, usual) {
  const at = options.indexOf(`--${name}`);
  return at < 0 ? usual : (options.splice(at, 2)[1] ?? "");
}

await script(async () => {
  checkNode();
  await buildPrograms();
  const options = process.argv.slice(2);
  if (options.includes("--cheating")) {
    const words = options.filter((option) => option !== "--cheating");
    const rows = await buildCheatingTable(words, (text) => console.error(text));
    console.log(formatCheatingTable(rows));
    process.exitCode = rows.every(({ problem }) => problem === null) ? 0 : 1;
    return;
  }
  const [index, count] = take(options, "shard", "1/1").split("/").map(Number);
  const repetitions = Number(take(options, "repetitions", "1"));
  if (!index || !count || index > count || !Number.isInteger(repetitions))
    throw new StepFailed("--shard takes a part as 1/4, --repetitions a whole number, for example 20.");
  const again = options.includes("--again");
  const words = options.filter((option) => option !== "--again");
  const suite = fingerprint([
    "conformance",
    "daemon",
    "robot",
    "sim",
    "sdk",
    "fixtures/broken-apps",
    "fixtures/good-apps",
  ]);
  const kept = existsSync(FILE) ? JSON.parse(readFileSync(FILE, "utf8")) : null;
  const known = !again && kept?.suite === suite ? kept.rows : [];
  mkdirSync("artifacts", { recursive: true });
  const rows = await buildKillTable({
    words,
    shard: { index, count },
    repetitions,
    known,
    now: () => performance.now(),
    onRow: async (row) => {
      known.push(row);
      writeFileSync(FILE, JSON.stringify({ suite, rows: known }, null, 1));
      console.error(
        `${row.problem === null ? "ok  " : "FAIL"} ${row.name} ${row.repetition} (${row.duration.toFixed(0)} s) ${row.problem ?? ""}`,
      );
    },
  });
  console.log(formatKillTable(rows));
  process.exitCode = rows.every(({ problem }) => problem === null) ? 0 : 1;
});
