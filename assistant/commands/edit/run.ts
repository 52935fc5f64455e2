import { relative } from "node:path";
import type { EditResult } from "../../../edit/apply/apply.ts";
import { readSource, type SourceFile, textForModel } from "../../../edit/apply/file.ts";
import { checkSyntax } from "../../../edit/apply/syntax.ts";
import { conventionOfModel, formatOfModel } from "../../../edit/formats/format.ts";
import { languageOfFile } from "../../../edit/formats/language-name.ts";
import { instructFormat } from "../../../edit/prompt/instruct.ts";
import { readReferenceFiles, referenceText } from "../../../edit/prompt/reference-files.ts";
import { refusalText } from "../../../edit/refusal.ts";
import type { CodeItem, Sample } from "../../../edit/sample.ts";
import type { Target } from "../../../edit/session/find-file.ts";
import { journalFolder, readJournal, writeEdit } from "../../../edit/session/journal.ts";
import { pastVersions } from "../../../edit/session/past-versions.ts";
import { requestEdit } from "../../../edit/session/request-edit.ts";
import { WorkbenchError } from "../../../robot/wire/errors.ts";
import { type CheckReport, checkApp } from "../../check/check-app.ts";
import { formatReport } from "../../check/format-report.ts";
import { escapeControls } from "../../escape-controls.ts";
import { EXIT, type Terminal } from "../../terminal.ts";
import { openModel } from "../model/options.ts";
import { type CommandModel, requestInstructed } from "./choose-instruct.ts";
import type { EditFlags } from "./flags.ts";
import { resultAsJson, resultAsText } from "./format-result.ts";
import { changesOutside, chooseHunks, selectionOf } from "./selection.ts";

/** Minimum token limit of an answer. A whole file needs about one token for every two characters. */
export const MIN_TOKENS = 2048;

/**
 * Asks the model for the edit, shows it, and once confirmed writes it and checks the app.
 * @param known shared by the edits of a command
 */
export async function runEdit(
  target: Target,
  flags: EditFlags,
  terminal: Terminal,
  known: CommandModel = {},
): Promise<void> {
  const source = await readSource(target.file);
  const name = relative(terminal.cwd, target.file);
  const report = flags.json ? () => {} : terminal.err;
  const client = await openModel(flags, terminal);
  const convention = flags.convention ?? conventionOfModel(client.model);
  const sample = await sampleOf(source, flags, terminal);
  // Shown while it arrives where a person waits for it.
  const streams = terminal.interactive && !flags.json;
  const request = async (instruct: boolean) => {
    const format = instruct ? instructFormat(source.text, flags.format) : (flags.format ?? formatOfModel(client.model));
    report(`Asking ${client.model} (${format}${instruct ? ", with instructions" : ""}) about ${name}...\n`);
    const requested = await requestEdit({
      client,
      format,
      sample,
      original: source.text,
      convention,
      syntax: flags.syntax,
      instruct,
      explain: flags.explain,
      maxTokens: flags.maxTokens ?? Math.max(MIN_TOKENS, format === "wf" ? Math.ceil(source.text.length / 2) : 0),
      retries: flags.retries,
      signal: terminal.signal,
      ...(streams ? { onPiece: ({ text }) => terminal.err(escapeControls(text)) } : {}),
      onRefused: (refusal) => report(`${streams ? "\n" : ""}Refused, asking again. ${refusalText(refusal)}\n`),
      onContextOverflow: (change) => report(`The prompt is longer than the model's context. Asking again ${change}.\n`),
    });
    return { ...requested, format, instruct };
  };
  const requested = await requestInstructed(client, flags, terminal, known, request);
  const { outcome: answered, attempts, omittedVersions, format, instruct } = requested;
  if (streams) report("\n");
  const outcome = await chosenFrom(name, source, answered, flags, terminal);
  const { lines } = flags;
  if (lines && outcome.status === "applied" && changesOutside(source.text, outcome.result, lines))
    outcome.notes.push(`It also changes lines outside of ${lines.first} to ${lines.last}.`);
  const keptNothing = answered.status === "applied" && outcome.status === "no-change";
  const shown = streams && outcome.status !== "refused" ? { ...outcome, explanation: "" } : outcome;
  if (keptNothing) report("Not applied: no change was kept.\n");
  else if (!flags.json) terminal.out(resultAsText(name, source.text, shown, terminal.colour));
  if (format === "lc") report(`The ranges were read as ${convention} (--convention).\n`);
  const written = outcome.status === "applied" && (flags.hunks || (await confirmEdit(flags, terminal)));
  if (written) await write(source, outcome, flags, terminal);
  const checkReport = written ? await checkEditedApp(target, flags, terminal) : null;
  const check = checkOutcome(checkReport);
  if (flags.json) {
    const result = resultAsJson(name, source.text, outcome);
    terminal.out(
      `${JSON.stringify({ ...result, ...(format === "lc" ? { convention } : {}), instruct, attempts, omittedVersions, written, check, checkReport })}\n`,
    );
  }
  const declined = keptNothing || (outcome.status === "applied" && !written && !flags.dryRun);
  if (outcome.status === "refused" || declined || check === "failed") terminal.setExitCode(EXIT.failed);
}

async function sampleOf(source: SourceFile, flags: EditFlags, terminal: Terminal): Promise<Sample> {
  const lang = languageOfFile(source.path);
  const item = (code: string): CodeItem => ({ type: "code", lang, code });
  const journal = await readJournal(journalFolder(terminal.env), source);
  const past = { source: flags.history, limit: flags.versions, journal, signal: terminal.signal };
  const versions = await pastVersions(source.path, source.text, past);
  const { instruction = "" } = flags;
  if (instruction === "" && versions.length === 0) {
    throw new WorkbenchError(
      "usage",
      "There is no instruction and no older version to continue from: say what to change with -i.",
    );
  }
  const user = await instructionText(flags, terminal);
  const code = textForModel(source.text);
  const loc = flags.lines === undefined ? null : selectionOf(code, flags.lines);
  return { history: versions.map(item), current: item(code), user, loc };
}

/** The instruction with the files of --context before it. */
export async function instructionText({ instruction = "", context }: EditFlags, terminal: Terminal): Promise<string> {
  const reference = referenceText(await readReferenceFiles(context, terminal.cwd));
  return [reference, instruction].filter((part) => part !== "").join("\n\n");
}

/**
 * The edit with the changes that a person keeps, with --hunks; without any of them it changes nothing. Its notes are about
 * the whole edit, so they are shown first, and the syntax is checked again.
 */
async function chosenFrom(
  name: string,
  source: SourceFile,
  outcome: EditResult,
  { hunks, syntax }: EditFlags,
  terminal: Terminal,
): Promise<EditResult> {
  if (!hunks || outcome.status !== "applied") return outcome;
  const { explanation } = outcome;
  for (const note of outcome.notes) terminal.out(`note: ${note}\n`);
  const result = await chooseHunks(name, source.text, outcome.result, terminal);
  if (result === source.text) return { status: "no-change", explanation };
  const { refusal, notes } = await checkSyntax(source.text, result, { lang: languageOfFile(source.path), syntax });
  return refusal ? { status: "refused", refusal, explanation } : { ...outcome, result, notes };
}

/** Asks whether to apply an edit; false with --dry-run, true with --yes. */
export async function confirmEdit(flags: EditFlags, terminal: Terminal): Promise<boolean> {
  if (flags.dryRun) return false;
  if (flags.yes || (await terminal.confirm("Apply this edit?"))) return true;
  terminal.err("Not applied. --yes applies without asking.\n");
  return false;
}

async function write(
  source: SourceFile,
  { result }: Extract<EditResult, { status: "applied" }>,
  { json, instruction = "" }: EditFlags,
  terminal: Terminal,
): Promise<void> {
  const made = { time: terminal.now().toISOString(), instruction };
  await writeEdit(journalFolder(terminal.env), [{ source, result }], made);
  if (!json) terminal.out(`Applied to ${relative(terminal.cwd, source.path)}. Undo it with --undo.\n`);
}

/** Checks the app after the edit and shows the report; null without an app, or with --no-check. */
export async function checkEditedApp(
  { app }: Target,
  flags: EditFlags,
  terminal: Terminal,
): Promise<CheckReport | null> {
  if (app === undefined || !flags.check) return null;
  const checked = await checkApp(app, terminal.signal);
  if (!flags.json) terminal.out(formatReport(checked, terminal.colour));
  return checked;
}

/** The result of a check in one word. */
export const checkOutcome = (report: CheckReport | null): "skipped" | "passed" | "failed" =>
  report === null ? "skipped" : report.verdict === "conformant" ? "passed" : "failed";
