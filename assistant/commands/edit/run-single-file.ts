import { relative } from "node:path";
import { NEWEST_PYTHON, type PythonVersion } from "../../../common/python/project/python-version.ts";
import type { EditResult } from "../../../edit/apply/apply.ts";
import { readSource, type SourceFile, textForModel } from "../../../edit/apply/file.ts";
import { checkSyntax } from "../../../edit/apply/syntax.ts";
import { languageOfFile } from "../../../edit/formats/language-name.ts";
import type { CodeItem, Sample } from "../../../edit/sample.ts";
import type { MultiFileResult } from "../../../edit/session/edit-files.ts";
import type { Target } from "../../../edit/session/find-file.ts";
import { requestEdit } from "../../../edit/session/request-edit.ts";
import { pythonOfApp } from "../../../robot/project/python-of-app.ts";
import { WorkbenchError } from "../../../robot/wire/errors.ts";
import { EXIT, type Terminal } from "../../terminal.ts";
import { answerForm } from "../model/answer-form.ts";
import { openModel } from "../model/options.ts";
import { finishEdit } from "./finish-edit.ts";
import type { EditFlags } from "./flags.ts";
import { singleResultAsJson } from "./format-result.ts";
import { instructionText, olderVersions, reporter, requestOptions, showsAnswer, tokensFor } from "./request-options.ts";
import { changesOutside, chooseHunks, selectionOf } from "./selection.ts";

/** Asks the model for the edit, shows it, and once confirmed writes it and checks the app. */
export async function runSingleFileEdit({ app, file }: Target, flags: EditFlags, terminal: Terminal): Promise<void> {
  const source = await readSource(file);
  const name = relative(terminal.cwd, file);
  const report = reporter(flags, terminal);
  const python = app === undefined ? NEWEST_PYTHON : await pythonOfApp(app);
  const form = answerForm(flags, terminal.env, source.text);
  const client = await openModel(flags, terminal);
  const { instruct, format, convention } = form;
  const sample = await sampleOf(source, flags, terminal);
  report(`Asking ${client.model} (${format}${instruct ? ", with instructions" : ""}) about ${name}...\n`);
  const {
    outcome: answered,
    attempts,
    omittedVersions,
  } = await requestEdit({
    ...requestOptions(client, flags, terminal),
    ...form,
    python,
    sample,
    original: source.text,
    maxTokens: flags.maxTokens ?? tokensFor(source.text, format),
  });
  if (showsAnswer(flags, terminal)) report("\n");
  const outcome = await chosenFrom(name, source, answered, { ...flags, python }, terminal);
  if (answered.status === "applied" && outcome.status === "no-change") {
    terminal.err("Not applied: no change was kept.\n");
    return terminal.setExitCode(EXIT.failed);
  }
  const { lines } = flags;
  if (lines && outcome.status === "applied" && changesOutside(source.text, outcome.result, lines))
    outcome.notes.push(`It also changes lines outside of ${lines.first} to ${lines.last}.`);
  if (format === "lc") report(`The ranges were read as ${convention} (--convention).\n`);
  const result = asMultiFileResult(name, source, outcome);
  const asked = { ...(format === "lc" ? { convention } : {}), instruct, attempts, omittedVersions };
  await finishEdit(result, app, { ...singleResultAsJson(name, result), ...asked }, flags, terminal);
}

function asMultiFileResult(name: string, source: SourceFile, outcome: EditResult): MultiFileResult {
  const { explanation } = outcome;
  if (outcome.status === "no-change") return outcome;
  if (outcome.status === "refused") return { status: "refused", refusals: [{ refusal: outcome.refusal }], explanation };
  const { result, notes } = outcome;
  return { status: "applied", files: [{ name, source, result, notes }], explanation };
}

async function sampleOf(source: SourceFile, flags: EditFlags, terminal: Terminal): Promise<Sample> {
  const lang = languageOfFile(source.path);
  const item = (code: string): CodeItem => ({ type: "code", lang, code });
  const versions = await olderVersions(source, flags, terminal);
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

/**
 * The edit with the changes that a person keeps, with --hunks; without any of them it changes nothing. Its notes are about
 * the whole edit, so they are shown first, and the syntax is checked again.
 */
async function chosenFrom(
  name: string,
  source: SourceFile,
  outcome: EditResult,
  { hunks, syntax, python }: EditFlags & { python: PythonVersion },
  terminal: Terminal,
): Promise<EditResult> {
  if (!hunks || outcome.status !== "applied") return outcome;
  const { explanation } = outcome;
  for (const note of outcome.notes) terminal.out(`note: ${note}\n`);
  const result = await chooseHunks(name, source.text, outcome.result, terminal);
  if (result === source.text) return { status: "no-change", explanation };
  const { refusal, notes } = await checkSyntax(source.text, result, {
    lang: languageOfFile(source.path),
    syntax,
    python,
  });
  return refusal ? { status: "refused", refusal, explanation } : { ...outcome, result, notes };
}
