// npm run lab -- public --root DIR [--list FILE] [--parts check,short,whole,start] [WORD...]: judges the apps of other
// people that a file lists, in folders below DIR, and compares with what a person expects who has read their code. Nothing is
// fetched: check the apps out first. One app at a time; a copy of each is judged. Builds install from the package index.
import { cp, mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { parse } from "yaml";
import { buildPrograms, installDependencies } from "../../scripts/setup/prepare.mjs";
import { differenceOf, Expected, type ExpectedApp } from "./expected.ts";
import { judge, MissingPythonError } from "./judge.ts";
import { startInDaemon } from "./start.ts";

const LIST = "lab/public/expected.yaml";
const PARTS = ["check", "short", "whole", "start"] as const;
type Part = (typeof PARTS)[number];
/** What is no part of an app. */
const LEFT_OUT = [".git", "__pycache__", "build", "dist", "node_modules"];

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    root: { type: "string" },
    list: { type: "string", default: LIST },
    parts: { type: "string", default: "check,short,start" },
  },
});
const parts = PARTS.filter((part) => values.parts.split(",").includes(part));
if (values.root === undefined || parts.length !== values.parts.split(",").length) {
  console.error(`usage: npm run lab -- public --root DIR [--list ${LIST}] [--parts ${PARTS.join(",")}] [WORD...]`);
  process.exit(2);
}
await installDependencies();
await buildPrograms();
const root = resolve(values.root);
const all = Expected.parse(parse(await readFile(values.list, "utf8")));
const apps = all.filter(({ folder }) => positionals.length === 0 || positionals.some((word) => folder.includes(word)));
const seen = { agreed: 0, differing: 0, "not here": 0 };
for (const app of apps) {
  const outcomes = await judgeApp(app);
  const isDifferent = outcomes.includes("DIFF");
  if (isDifferent) seen.differing += 1;
  else if (outcomes.includes("not here")) seen["not here"] += 1;
  else seen.agreed += 1;
  if (isDifferent) console.log(`  expected because: ${app.reason}`);
}
const judged = seen.agreed + seen.differing;
const notHere = seen["not here"] === 0 ? "" : ` ${seen["not here"]} cannot be run on this machine.`;
console.log(`\n${seen.agreed} of ${judged} apps as expected (${parts.join(", ")}).${notHere}`);
process.exitCode = seen.differing === 0 ? 0 : 1;

type Outcome = "ok" | "DIFF" | "not here";

/** Judges a copy of an app by each part, and prints it. */
async function judgeApp(app: ExpectedApp): Promise<Outcome[]> {
  console.log(app.folder);
  const scratch = await mkdtemp(join(tmpdir(), "robot-public-"));
  const folder = join(scratch, basename(app.folder));
  const outcomes: Outcome[] = [];
  try {
    await cp(join(root, app.folder), folder, {
      recursive: true,
      verbatimSymlinks: true,
      filter: (path) => !LEFT_OUT.includes(basename(path)),
    });
    for (const part of parts) {
      if (app[part] === undefined) continue;
      const began = Date.now();
      const judged = await judgePart(part, app, folder, join(scratch, part)).catch((error: Error) => error);
      const { difference, details } = judged instanceof Error ? { difference: judged.message, details: [] } : judged;
      const outcome = judged instanceof MissingPythonError ? "not here" : difference === null ? "ok" : "DIFF";
      outcomes.push(outcome);
      const seconds = ((Date.now() - began) / 1000).toFixed(0);
      console.log(`  ${outcome.padEnd(8)} ${part.padEnd(5)} ${seconds.padStart(4)} s  ${difference ?? ""}`);
      for (const detail of details) console.log(`         ${detail}`);
    }
  } finally {
    await rm(scratch, { recursive: true, force: true, maxRetries: 3 });
  }
  return outcomes;
}

async function judgePart(part: Part, app: ExpectedApp, folder: string, scratch: string) {
  if (part === "start") {
    const { start, detail } = await startInDaemon(folder, scratch);
    return { difference: start === app.start ? null : `${start} instead of ${app.start}`, details: [detail] };
  }
  const seen = await judge(part, folder, scratch);
  const expected = app[part];
  return { difference: expected === undefined ? null : differenceOf(expected, seen), details: seen.details };
}
