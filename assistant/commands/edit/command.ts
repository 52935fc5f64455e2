import { Command, Option } from "commander";
import { SYNTAX_POLICIES } from "../../../edit/apply/syntax.ts";
import { CONVENTIONS, FORMATS } from "../../../edit/formats/format.ts";
import { findTarget, NoSuchFile } from "../../../edit/session/find-file.ts";
import { journalFolder, recoverEdits } from "../../../edit/session/journal.ts";
import { HISTORY_SOURCES } from "../../../edit/session/past-versions.ts";
import { nonEmptyText, repeatable, wholeNumber } from "../../../robot/command-line/values.ts";
import { WorkbenchError } from "../../../robot/wire/errors.ts";
import type { Terminal } from "../../terminal.ts";
import { answerForm } from "../model/answer-form.ts";
import { refuseUnusedModelOptions, withFormatOptions, withModelOptions } from "../model/options.ts";
import { refuseUnused } from "../refuse-unused.ts";
import type { EditFlags } from "./flags.ts";
import { recoveredTo } from "./report-recovered.ts";
import { runMultiFileEdit } from "./run-multi-file.ts";
import { runSingleFileEdit } from "./run-single-file.ts";
import { parseLines } from "./selection.ts";
import { runUndo } from "./undo.ts";

const HELP = `
The edit is applied exactly or refused; a refusal says why and changes nothing. An edit of several files, or of new ones, is
applied to all of them or to none; any chat model can make it.

Exit codes: 0 applied (or nothing to change, or a dry run), 1 refused, declined, or the app's check failed, 2 an invalid
command line, 3 no model.

Examples:
  robot-app-assistant edit . -i "Wave twice before sleeping."
  robot-app-assistant edit my_app README.md -i "Explain the settings." --dry-run
  robot-app-assistant edit my_app main.py moves.py -i "Move the dances to moves.py."
  robot-app-assistant edit my_app -i "Add docstrings." --yes --json --server-url http://127.0.0.1:30000
  robot-app-assistant edit my_app --undo`;

/** `edit`: asks a code model for a change to an app, shows it, applies it and checks the app. */
export function editCommand(terminal: Terminal): Command {
  const command = new Command("edit")
    .description("Let a code model edit files of an app.")
    .argument("[path]", "the app's folder, or a file", ".")
    .argument("[files...]", "files inside the app, also new ones (default: its NAME/main.py)")
    .option("-i, --instruction <text>", "what to change; without it the model continues the last changes")
    .option(
      "--context <path>",
      "another file or folder that the model sees and does not change (repeatable)",
      repeatable(nonEmptyText("a file or folder", "--context my_app/motion.py")),
      [],
    )
    .option("--dry-run", "show the edit and write nothing")
    .option("-y, --yes", "apply without asking")
    .option("--undo", "undo the last edit of the file, with all files that it changed")
    .option("--lines <range>", "the lines that the instruction is about, for example 10-20", parseLines)
    .option("--hunks", "ask for each change whether to keep it")
    .option("--json", "write one JSON object; needs --yes or --dry-run")
    .optionsGroup("Options of the edit:")
    .addOption(
      new Option(
        "--format <format>",
        "the format that the model was trained for (default: ROBOT_MODEL_FORMAT, else it gets one as instructions)",
      ).choices(FORMATS),
    )
    .addOption(
      new Option(
        "--convention <name>",
        "how LC ranges count (default: ROBOT_MODEL_CONVENTION, else inclusive)",
      ).choices(CONVENTIONS),
    )
    .addOption(
      new Option("--syntax <policy>", "what to do with an edit that breaks the syntax")
        .choices(SYNTAX_POLICIES)
        .default("refuse"),
    )
    .addOption(new Option("--history <source>", "source of older versions").choices(HISTORY_SOURCES).default("auto"))
    .option("--versions <n>", "maximum number of older versions", wholeNumber(1, 100, "--versions 3"), 3)
    .option(
      "--retries <n>",
      "how often a refused answer is sent back to the model",
      wholeNumber(0, 100, "--retries 1"),
      1,
    )
    .option(
      "--max-tokens <n>",
      "maximum tokens of the answer (default: by the file's size)",
      wholeNumber(1, 1_000_000, "--max-tokens 4096"),
    )
    .option("--instruct", "ask in a chat, with the format as instructions (default without a format)")
    .option("--no-instruct", "ask a model that was trained for the format, without instructions")
    .option("--no-explain", "stop after the edit")
    .option("--no-check", "do not check the app afterwards")
    .addHelpText("after", HELP)
    .optionsGroup("Options of the model:");
  return withFormatOptions(withModelOptions(command)).action(
    async (path: string, files: string[], flags: EditFlags) => {
      const [file] = files;
      refuseContradictions(flags);
      refuseUnusedOptions(command, flags, terminal.env);
      // What cannot be settled now is an error of the write that needs it.
      await recoverEdits(journalFolder(terminal.env), recoveredTo(terminal)).catch(() => undefined);
      const runMulti = () => runMultiFileEdit(path, files, flags, terminal);
      if (files.length > 1) return runMulti();
      const mayBeNew = file !== undefined && flags.instruction !== undefined && !flags.undo;
      const target = await findTarget(terminal.cwd, path, file).catch((error: unknown) => {
        if (mayBeNew && error instanceof NoSuchFile) return undefined;
        throw error;
      });
      if (target === undefined) return runMulti();
      return flags.undo ? runUndo(target, flags, terminal) : runSingleFileEdit(target, flags, terminal);
    },
  );
}

/** Options that an undo has no use for: it asks no model, and writes what was there before. */
const NOT_OF_UNDO = [
  "instruction",
  "context",
  "lines",
  "hunks",
  "format",
  "convention",
  "syntax",
  "history",
  "versions",
].concat(
  ["retries", "maxTokens", "instruct", "explain", "check", "serverUrl", "model", "timeout", "stream", "profile", "api"],
  ["local", "dtype", "device"],
);

/** @throws WorkbenchError `usage` for an option that has no effect with the others */
function refuseUnusedOptions(command: Command, flags: EditFlags, env: Terminal["env"]): void {
  if (flags.undo) refuseUnused(command, NOT_OF_UNDO, "with --undo");
  refuseUnusedModelOptions(command, flags);
  if (flags.history === "none") refuseUnused(command, ["versions"], "with --history none");
  const { instruct, format } = answerForm(flags, env, "");
  if (instruct)
    refuseUnused(command, ["profile", ...(flags.api === "completions" ? ["api"] : [])], "on a request in a chat");
  if (instruct || format !== "lc") refuseUnused(command, ["convention"], "on another format than lc");
}

/** @throws WorkbenchError `usage` for options that cannot be used together, with those to add or leave out */
function refuseContradictions(flags: EditFlags): void {
  if (flags.json && !flags.undo && !flags.yes && !flags.dryRun) {
    throw new WorkbenchError("usage", "--json cannot ask: add --yes to apply the edit or --dry-run to only show it.");
  }
  if (flags.instruct && (flags.format === "lc" || flags.local !== undefined)) {
    const what =
      flags.format === "lc"
        ? "Ranges (--format lc) need a model that was trained for them"
        : "--local runs models that were";
    throw new WorkbenchError("usage", `${what}; --instruct takes --format sr or wf, and a server.`);
  }
  if (flags.hunks && (flags.yes || flags.json || flags.dryRun)) {
    throw new WorkbenchError("usage", "--hunks asks for each change: leave out --yes, --json and --dry-run.");
  }
}
