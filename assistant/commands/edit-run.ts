import { relative } from "node:path";
import { WorkbenchError } from "../../robot/wire/errors.ts";
import { type EditResult, hashText } from "../edit/apply/apply.ts";
import { readSource, type SourceFile, shownText, writeSource } from "../edit/apply/file.ts";
import { conventionOfModel, formatOfModel } from "../edit/formats/format.ts";
import { refusalText } from "../edit/refusal.ts";
import type { CodeItem, Sample } from "../edit/sample.ts";
import { languageOf, type Target } from "../edit/session/find-file.ts";
import { pastVersions } from "../edit/session/history.ts";
import { journalFolder, readJournal, writeJournal } from "../edit/session/journal.ts";
import { requestEdit } from "../edit/session/request-edit.ts";
import { EXIT, type Terminal } from "../terminal.ts";
import type { EditFlags } from "./edit-flags.ts";
import { asJson, asText } from "./edit-show.ts";
import { openModel } from "./model-options.ts";

/** Tokens of an answer at least; a whole file may need about one for every two characters. */
const LEAST_TOKENS = 2048;

/** Asks for the edit, shows it, and after a yes writes it and runs the app's check. */
export async function runEdit(target: Target, flags: EditFlags, terminal: Terminal): Promise<void> {
  const source = await readSource(target.file);
  const name = relative(terminal.cwd, target.file);
  const say = flags.json ? () => {} : terminal.err;
  const client = await openModel(flags, terminal);
  const format = flags.format ?? formatOfModel(client.model);
  say(`Asking ${client.model} (${format}) about ${name}...\n`);
  const { outcome, attempts } = await requestEdit({
    client,
    format,
    sample: await sampleOf(source, flags, terminal),
    original: source.text,
    convention: flags.convention ?? conventionOfModel(client.model),
    explain: flags.explain,
    maxTokens: flags.maxTokens ?? Math.max(LEAST_TOKENS, format === "wf" ? Math.ceil(source.text.length / 2) : 0),
    retries: flags.retries,
    signal: terminal.signal,
    onRefused: (refusal) => say(`Refused, asking again. ${refusalText(refusal)}\n`),
  });
  if (!flags.json) terminal.out(asText(name, source.text, outcome, terminal.colour));
  const written = outcome.status === "applied" && (await agreed(flags, terminal));
  if (written) await write(source, outcome, flags, terminal);
  const check = written ? await checkApp(target, flags, terminal) : "skipped";
  if (flags.json)
    terminal.out(`${JSON.stringify({ ...asJson(name, source.text, outcome), attempts, written, check })}\n`);
  const declined = outcome.status === "applied" && !written && !flags.dryRun;
  if (outcome.status === "refused" || declined || check === "failed") terminal.exit(EXIT.no);
}

async function sampleOf(source: SourceFile, flags: EditFlags, terminal: Terminal): Promise<Sample> {
  const lang = languageOf(source.path);
  const item = (code: string): CodeItem => ({ type: "code", lang, code });
  const journal = await readJournal(journalFolder(terminal.env), source.path);
  const past = { source: flags.history, limit: flags.versions, journal, signal: terminal.signal };
  const versions = await pastVersions(source.path, source.text, past);
  const { instruction = "" } = flags;
  if (instruction === "" && versions.length === 0) {
    throw new WorkbenchError(
      "usage",
      "There is no instruction and no older version to go on from: say what to change with -i.",
    );
  }
  return { history: versions.map(item), current: item(shownText(source.text)), user: instruction };
}

async function agreed(flags: EditFlags, terminal: Terminal): Promise<boolean> {
  if (flags.dryRun) return false;
  if (flags.yes || (await terminal.confirm("Apply this edit?"))) return true;
  terminal.err("Not applied. --yes applies without asking.\n");
  return false;
}

async function write(
  source: SourceFile,
  { result }: Extract<EditResult, { status: "applied" }>,
  flags: EditFlags,
  terminal: Terminal,
): Promise<void> {
  const folder = journalFolder(terminal.env);
  const journal = await readJournal(folder, source.path);
  await writeSource(source, result);
  const entry = { instruction: flags.instruction ?? "", before: source.text, after: hashText(result) };
  await writeJournal(folder, source.path, [...journal, { time: terminal.now().toISOString(), ...entry }]);
  if (!flags.json) terminal.out(`Applied to ${relative(terminal.cwd, source.path)}. Take it back with --undo.\n`);
}

/** The app's own check, as `robot-app-assistant check` runs it. */
async function checkApp(
  { app }: Target,
  flags: EditFlags,
  terminal: Terminal,
): Promise<"passed" | "failed" | "skipped"> {
  if (app === undefined || !flags.check) return "skipped";
  const code = await terminal.runSelf(["check", app], flags.json ? "hidden" : "shown");
  return code === EXIT.done ? "passed" : "failed";
}
