// npm run lab -- planted-bugs [--only units|scenarios|seeds] [words]: plants each bug of planted-bugs/bugs.ts in a copy of the
// repository, and runs there the model of the lifecycle, the unit tests beside the bug, scenarios with a daemon in this
// process, and some seeds. The rows are kept in docs/data, and written into docs/lifecycle-model.md with --docs. A copy without a bug comes
// first: it must find nothing.
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { replaceTable } from "../conformance/testing/docs-tables.ts";
import { appendRow, readRows } from "./mutants/rows.ts";
import { PLANTED_BUGS, type PlantedBug } from "./planted-bugs/bugs.ts";
import { type Finds, findsIn } from "./planted-bugs/find.ts";

const { values, positionals: words } = parseArgs({
  allowPositionals: true,
  options: { only: { type: "string" }, docs: { type: "boolean", default: false } },
});
const { only } = values;
const parts = only === undefined ? ["units", "scenarios", "seeds"] : [only];

const FILE = "docs/data/planted-bugs.jsonl";
const PAGE = "docs/lifecycle-model.md";

/** Bugs make scenarios wait in vain. */
const SHORT_DEADLINE: PlantedBug = {
  name: "short deadline",
  file: "common/testing/deadline.ts",
  row: "",
  text: "DEADLINE_MS = 60_000",
  bug: "DEADLINE_MS = 20_000",
};

/** A column is missing when its tests have not run. */
type Row = { name: string } & Partial<Finds>;
const rows = () => readRows<Row>(FILE, ({ name }) => name);

/** Runs the tests in a copy of the repository with a bug, or without one. */
async function judge(planted: PlantedBug | null): Promise<Finds> {
  const copy = mkdtempSync(join(tmpdir(), "planted-bug-"));
  try {
    execFileSync("git", ["checkout-index", "--all", `--prefix=${copy}/`]);
    for (const shared of ["node_modules", "dist", ".venv"])
      symlinkSync(join(process.cwd(), shared), join(copy, shared));
    execFileSync("mkdir", ["-p", join(copy, "artifacts")]);
    symlinkSync(join(process.cwd(), "artifacts/test-data"), join(copy, "artifacts/test-data"));
    plant(copy, SHORT_DEADLINE);
    if (planted !== null) plant(copy, planted);
    return await findsIn(copy, planted, parts);
  } finally {
    rmSync(copy, { recursive: true, force: true });
  }
}

function plant(copy: string, { name, file, text, bug }: PlantedBug): void {
  const path = join(copy, file);
  const parts = readFileSync(path, "utf8").split(text);
  if (parts.length !== 2) throw new Error(`${file} has the text of "${name}" ${parts.length - 1} times.`);
  writeFileSync(path, parts.join(bug));
}

function formatTable(): string {
  const mark = (found: string | null | undefined) => (found ? "found" : found === null ? "" : "not run");
  const columns = ["model", "tests", "scenarios", "seeds"] as const;
  const lines = rows().map((row) => `| ${[row.name, ...columns.map((column) => mark(row[column]))].join(" | ")} |`);
  const sums = columns.map((column) => `**${rows().filter((row) => row[column]).length}**`).join(" | ");
  const head = ["| planted bug | model | unit tests | scenarios | seeds |", "|---|---|---|---|---|"];
  return [...head, ...lines, `| **${rows().length} bugs** | ${sums} |`].join("\n");
}

if (values.docs) {
  const page = readFileSync(PAGE, "utf8");
  writeFileSync(PAGE, replaceTable(page, "planted bugs", formatTable(), "npm run lab -- planted-bugs --docs"));
} else {
  const chosen = PLANTED_BUGS.filter(({ name }) => words.every((word) => name.includes(word)));
  if (words.length === 0) console.log("without a bug:", await judge(null));
  for (const planted of chosen) {
    const { name } = planted;
    const found = await judge(planted);
    const known = rows().find((row) => row.name === name);
    const row: Row = { ...known, name, model: found.model ?? (only === undefined ? null : known?.model) ?? null };
    if (parts.includes("units")) row.tests = found.tests;
    if (parts.includes("scenarios")) row.scenarios = found.scenarios;
    if (parts.includes("seeds")) row.seeds = found.seeds;
    console.log(row);
    appendRow(FILE, row);
  }
}
