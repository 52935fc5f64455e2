import { mkdir } from "node:fs/promises";
import { join, relative, resolve, sep } from "node:path";
import { Command, Option } from "commander";
import { packageVersion } from "../../common/versions.ts";
import { nonEmptyText, type ParseOption, textMatching } from "../../robot/command-line/values.ts";
import type { Files } from "../check/app/read-files.ts";
import { type CheckReport, checkFiles, readApp } from "../check/check-app.ts";
import { explainRule, listRules } from "../check/explain-rule.ts";
import type { FixPlan } from "../check/fix/plan-fixes.ts";
import { FORMAT_NAMES, FORMATS, type FormatName } from "../check/formats/formats.ts";
import type { Rule } from "../check/requirement.ts";
import { REQUIREMENTS } from "../check/requirements.ts";
import { ruleOf, selectRules } from "../check/select-rules.ts";
import { editorSchema, readSettings, rulesOfSettings } from "../check/settings.ts";
import { EXIT, type Terminal } from "../terminal.ts";

const HELP = `
The app is read, not run. docs/checks.md explains the check, docs/rules.md each rule. Exit codes: 0 a robot app (also with
warnings or skipped requirements), 1 a MUST is not met (with --diff: there is something to fix), 2 no such folder, an
unknown option, rule or setting, 3 the check itself broke.

Examples:
  robot-app-assistant check
  robot-app-assistant check my_app --fix
  robot-app-assistant check --explain PKG-003
  robot-app-assistant check my_app --format sarif > check.sarif
  robot-app-assistant check my_app --json | jq '.results[] | select(.status == "fail")'`;

const EXIT_CODES: Readonly<Record<CheckReport["verdict"], number>> = {
  conformant: EXIT.ok,
  "not-conformant": EXIT.failed,
  error: EXIT.unavailable,
};

interface CheckFlags {
  format: FormatName;
  json?: true;
  out?: string;
  select?: string[];
  ignore?: string[];
  fix?: true;
  diff?: true;
  yes?: true;
  explain?: string;
  list?: true;
  schema?: true;
}

/** `check`: reports whether a folder is a robot app, and what to fix when it is not. */
export function checkCommand(terminal: Terminal): Command {
  return new Command("check")
    .description("Check an app's structure, entry point, metadata and code.")
    .argument("[path_to_app]", "the app's folder, where its pyproject.toml is", ".")
    .addOption(new Option("--format <name>", "how to write the report").choices(FORMAT_NAMES).default("text"))
    .option("--json", "the same as --format json")
    .option(
      "--out <folder>",
      "also write check.json, check.sarif and check.xml (JUnit) into a folder",
      nonEmptyText("a folder", "--out out"),
    )
    .option("--select <rules>", "check these rules only: ids or their beginnings, with commas", listOf("--select"))
    .option("--ignore <rules>", "leave these rules out", listOf("--ignore"))
    .option("--fix", "fix what is mechanical: show a diff, ask, write")
    .option("--diff", "show the diff of --fix and write nothing")
    .option("-y, --yes", "with --fix: write without asking")
    .option(
      "--explain <rule>",
      "explain a rule with an example, and check nothing",
      nonEmptyText("the id of a rule", "--explain PKG-003"),
    )
    .option("--list", "list all rules")
    .option("--schema", "print the JSON Schema of [tool.robot] in pyproject.toml, for editors")
    .addHelpText("after", HELP)
    .action(async (path: string, flags: CheckFlags) => {
      const text = textFor(flags, terminal.colour);
      if (text !== undefined) return terminal.out(text);
      await check(resolve(terminal.cwd, path), flags, terminal);
    });
}

/** Parses ids with commas between them. */
const listOf =
  (option: string): ParseOption<string[]> =>
  (text) =>
    SELECTORS(`${option} PKG-001,PKG-003`)(text)
      .split(",")
      .map((each) => each.trim());

/** One id or beginning of ids, or several with commas. */
const SELECTORS = (example: string) =>
  textMatching(/^\s*[\w-]+\s*(?:,\s*[\w-]+\s*)*$/, "ids of rules with commas", example);

/** The text of options that check no app. */
function textFor({ explain, list: lists, schema }: CheckFlags, colour: boolean): string | undefined {
  if (explain !== undefined) return explainRule(ruleOf(explain), colour);
  if (lists) return listRules(REQUIREMENTS);
  return schema ? `${JSON.stringify(editorSchema(), null, 2)}\n` : undefined;
}

async function check(folder: string, flags: CheckFlags, terminal: Terminal): Promise<void> {
  const files = await readApp(folder, terminal.signal);
  const { check: settings = {} } = readSettings(files);
  // The configuration first, so that a mistake in it is not taken for one of the command line.
  rulesOfSettings(files);
  const rules = selectRules({ select: flags.select ?? settings.select, ignore: flags.ignore ?? settings.ignore });
  if (flags.fix || flags.diff) return fixApp(folder, files, rules, flags, terminal);
  await report(await checkFiles(folder, files, rules), flags, terminal);
}

/** Files of `--out`. */
const FILES = { "check.json": FORMATS.json, "check.sarif": FORMATS.sarif, "check.xml": FORMATS.junit };

async function report(found: CheckReport, { json, format, out }: CheckFlags, terminal: Terminal): Promise<void> {
  const prefix = relative(terminal.cwd, found.folder).split(sep).join("/");
  const context = { colour: terminal.colour, prefix, version: packageVersion(terminal.packageFolder) };
  terminal.out(FORMATS[json ? "json" : format](found, context));
  if (out !== undefined) {
    const folder = resolve(terminal.cwd, out);
    const { default: writeFileAtomic } = await import("write-file-atomic");
    await mkdir(folder, { recursive: true });
    for (const [name, write] of Object.entries(FILES)) await writeFileAtomic(join(folder, name), write(found, context));
  }
  terminal.setExitCode(EXIT_CODES[found.verdict]);
}

async function fixApp(folder: string, files: Files, rules: readonly Rule[], flags: CheckFlags, terminal: Terminal) {
  const { planFixes } = await import("../check/fix/plan-fixes.ts");
  const { formatDiff } = await import("../check/fix/apply-fixes.ts");
  const plan = await planFixes(files, rules);
  const isText = flags.format === "text" && !flags.json;
  const say = isText ? terminal.out : terminal.err;
  say(formatDiff(plan.changes, terminal.colour && isText));
  if (flags.diff) return terminal.setExitCode(plan.changes.length > 0 ? EXIT.failed : EXIT.ok);
  const wrote = await writePlan(folder, plan, flags, terminal, say);
  await report(
    await checkFiles(folder, wrote ? await readApp(folder, terminal.signal) : files, rules),
    flags,
    terminal,
  );
}

/** Asks and writes; returns whether anything was written. */
async function writePlan(
  folder: string,
  { changes, fixed }: FixPlan,
  flags: CheckFlags,
  terminal: Terminal,
  say: (text: string) => void,
): Promise<boolean> {
  if (changes.length === 0) {
    say("Nothing that can be fixed mechanically.\n");
    return false;
  }
  const count = changes.length === 1 ? "1 file" : `${changes.length} files`;
  if (!flags.yes && !(await terminal.confirm(`Change ${count} to fix ${fixed.join(", ")}?`))) {
    say("Nothing was changed. --yes changes it without asking.\n");
    return false;
  }
  const { writeChanges } = await import("../check/fix/apply-fixes.ts");
  await writeChanges(folder, changes);
  say(`Fixed ${fixed.join(", ")} in ${count}.\n`);
  return true;
}
