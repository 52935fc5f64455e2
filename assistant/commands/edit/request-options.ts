import { NO_FILE, type SourceFile } from "../../../edit/apply/file.ts";
import type { Format } from "../../../edit/formats/format.ts";
import type { ModelClient } from "../../../edit/model/types.ts";
import { readReferenceFiles, referenceText } from "../../../edit/prompt/reference-files.ts";
import { journalFolder, readJournal } from "../../../edit/session/journal.ts";
import { pastVersions } from "../../../edit/session/past-versions.ts";
import type { RequestOptions } from "../../../edit/session/request-until-applied.ts";
import { escapeControls } from "../../escape-controls.ts";
import type { Terminal } from "../../terminal.ts";
import type { EditFlags } from "./flags.ts";

/** Minimum token limit of an answer. A whole file needs about one token for every two characters. */
export const MIN_TOKENS = 2048;

/** The token limit of an answer that edits one file. */
export const tokensFor = (text: string, format: Format): number =>
  Math.max(MIN_TOKENS, format === "wf" ? Math.ceil(text.length / 2) : 0);

/** Whether the answer is shown while it arrives: where a person waits for it. */
export const showsAnswer = ({ json }: EditFlags, { interactive }: Terminal): boolean => interactive && !json;

/** Writes progress for a person; nothing with --json. */
export const reporter = ({ json }: EditFlags, terminal: Terminal): ((text: string) => void) =>
  json ? () => {} : terminal.err;

/** The options of a request for an edit, of one file or of several, and the reports while it runs. */
export function requestOptions(client: ModelClient, flags: EditFlags, terminal: Terminal) {
  const report = reporter(flags, terminal);
  const streams = showsAnswer(flags, terminal);
  return {
    client,
    syntax: flags.syntax,
    explain: flags.explain,
    retries: flags.retries,
    signal: terminal.signal,
    ...(streams ? { onPiece: ({ text }) => terminal.err(escapeControls(text)) } : {}),
    onRefused: (reason) => report(`${streams ? "\n" : ""}Refused, asking again.\n${escapeControls(reason)}\n`),
    onContextOverflow: (change) => report(`The prompt is longer than the model's context. Asking again ${change}.\n`),
  } satisfies Omit<RequestOptions, "maxTokens"> & { syntax: EditFlags["syntax"] };
}

/** The instruction with the files of --context before it. */
export async function instructionText({ instruction = "", context }: EditFlags, terminal: Terminal): Promise<string> {
  const reference = referenceText(await readReferenceFiles(context, terminal.cwd));
  return [reference, instruction].filter((part) => part !== "").join("\n\n");
}

/** The older versions of a file that the model sees, oldest first; none of a new file. */
export async function olderVersions(source: SourceFile, flags: EditFlags, terminal: Terminal): Promise<string[]> {
  if (source.hash === NO_FILE) return [];
  const journal = await readJournal(journalFolder(terminal.env), source);
  const past = { source: flags.history, limit: flags.versions, journal, signal: terminal.signal };
  return pastVersions(source.path, source.text, past);
}
