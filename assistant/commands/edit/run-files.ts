import { NO_FILE, readPossibleSource } from "../../../edit/apply/file.ts";
import { isTrainedByName } from "../../../edit/formats/format.ts";
import { type FilesResult, type FileToEdit, nameInApp } from "../../../edit/session/edit-files.ts";
import { findTargets } from "../../../edit/session/find-file.ts";
import { journalFolder, readJournal, writeEdit } from "../../../edit/session/journal.ts";
import { pastVersions } from "../../../edit/session/past-versions.ts";
import { fileRefusalText, requestFiles } from "../../../edit/session/request-edit.ts";
import { WorkbenchError } from "../../../robot/wire/errors.ts";
import { escapeControls } from "../../escape-controls.ts";
import { EXIT, type Terminal } from "../../terminal.ts";
import { openModel } from "../model/options.ts";
import type { EditFlags } from "./flags.ts";
import { filesResultAsJson, filesResultAsText } from "./format-result.ts";
import { checkEditedApp, checkOutcome, confirmEdit, instructionText, MIN_TOKENS } from "./run.ts";

/** Options of an edit of one file that exists. */
const OF_ONE_FILE = ["format", "convention", "lines", "hunks", "local", "undo"] as const;

/**
 * Asks the model for an edit of several files, of which some may not exist yet, shows it, and once confirmed writes all of
 * them and checks the app.
 * @throws WorkbenchError `usage` without an instruction, or with an option that makes sense for one file only
 */
export async function runFiles(
  path: string,
  names: readonly string[],
  flags: EditFlags,
  terminal: Terminal,
): Promise<void> {
  refuseOptions(flags);
  const { app, files } = await findTargets(terminal.cwd, path, names);
  const shown = await Promise.all(files.map((file) => fileToEdit(app, file, flags, terminal)));
  const report = flags.json ? () => {} : terminal.err;
  const instruction = await instructionText(flags, terminal);
  const client = await openModel(flags, terminal);
  if (isTrainedByName(client.model) && !flags.instruct) {
    const next = "name one file, another model with --model, or --instruct to ask it all the same";
    throw new WorkbenchError("usage", `${client.model} was trained for edits of one file: ${next}.`);
  }
  const labels = shown.map(({ name, source }) => (source.hash === NO_FILE ? `${name} (new)` : name));
  report(`Asking ${client.model} about ${labels.join(", ")}...\n`);
  const streams = terminal.interactive && !flags.json;
  const { outcome, attempts } = await requestFiles({
    client,
    app,
    files: shown,
    instruction,
    syntax: flags.syntax,
    explain: flags.explain,
    maxTokens: flags.maxTokens ?? MIN_TOKENS * shown.length,
    retries: flags.retries,
    signal: terminal.signal,
    ...(streams ? { onPiece: ({ text }) => terminal.err(escapeControls(text)) } : {}),
    onRefused: (refusals) =>
      report(
        `${streams ? "\n" : ""}Refused, asking again.\n${escapeControls(refusals.map(fileRefusalText).join("\n"))}\n`,
      ),
    onContextOverflow: (change) => report(`The prompt is longer than the model's context. Asking again ${change}.\n`),
  });
  if (streams) report("\n");
  const explained = streams && outcome.status !== "refused" ? { ...outcome, explanation: "" } : outcome;
  if (!flags.json) terminal.out(filesResultAsText(explained, terminal.colour));
  const written = outcome.status === "applied" && (await confirmEdit(flags, terminal));
  if (written) await write(outcome, flags, terminal);
  const checkReport = written ? await checkEditedApp({ app, file: app }, flags, terminal) : null;
  const check = checkOutcome(checkReport);
  if (flags.json)
    terminal.out(`${JSON.stringify({ ...filesResultAsJson(outcome), attempts, written, check, checkReport })}\n`);
  const declined = outcome.status === "applied" && !written && !flags.dryRun;
  if (outcome.status === "refused" || declined || check === "failed") terminal.setExitCode(EXIT.failed);
}

function refuseOptions(flags: EditFlags): void {
  const given = OF_ONE_FILE.find((name) => flags[name] !== undefined);
  const refuse = (what: string, next: string) => new WorkbenchError("usage", `${what}: ${next}.`);
  if (flags.undo) throw refuse("--undo undoes an edit in all of its files", "name one of them");
  if (given === "local")
    throw refuse("--local runs models that edit one file", "name one file, or a server with --server-url");
  if (flags.instruct === false)
    throw refuse("Several or new files are asked for with instructions", "leave --no-instruct out, or name one file");
  if (given !== undefined)
    throw refuse(`--${given} is for an edit of one file that exists`, `leave it out, or name one file`);
  if (!flags.instruction)
    throw refuse(
      "An edit of several or of new files needs an instruction",
      'say what to change, as in -i "Wave twice."',
    );
}

async function fileToEdit(app: string, path: string, flags: EditFlags, terminal: Terminal): Promise<FileToEdit> {
  const source = await readPossibleSource(path);
  const journal = await readJournal(journalFolder(terminal.env), source);
  const past = { source: flags.history, limit: flags.versions, journal, signal: terminal.signal };
  const history = source.hash === NO_FILE ? [] : await pastVersions(path, source.text, past);
  return { name: nameInApp(app, path), source, history };
}

async function write(
  { files }: Extract<FilesResult, { status: "applied" }>,
  { json, instruction = "" }: EditFlags,
  terminal: Terminal,
): Promise<void> {
  await writeEdit(journalFolder(terminal.env), files, { time: terminal.now().toISOString(), instruction });
  const names = files.map(({ name }) => name).join(", ");
  if (!json)
    terminal.out(`Applied to ${names}. Undo it with --undo, in ${files.length === 1 ? "it" : "all of them"}.\n`);
}
