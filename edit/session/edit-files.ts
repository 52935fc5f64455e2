import { pythonOfApp } from "../../robot/project/python-of-app.ts";
import { applyEdit } from "../apply/apply.ts";
import { NO_FILE, readPossibleSource, type SourceFile } from "../apply/file.ts";
import type { SyntaxOptions, SyntaxPolicy } from "../apply/syntax.ts";
import { languageOfFile } from "../formats/language-name.ts";
import type { EndOfAnswer } from "../formats/parse/end-of-answer.ts";
import { editOfFile, type FileBlocks, parseMultiFileAnswer } from "../formats/parse/parse-multi-file-answer.ts";
import { restoreEdit, type TokenEscape } from "../prompt/escape-tokens.ts";
import { instructFormat } from "../prompt/instruct.ts";
import { type Refusal, Refused, refusalText } from "../refusal.ts";
import { foldName, placeOfAnsweredFile, wrongPath } from "./answered-path.ts";

export interface FileToEdit {
  /** Path from the app's folder, with "/", as the request and the answer name it. */
  name: string;
  source: SourceFile;
  /** Older versions, oldest first, so that a refusal can say that an answer quotes one of them. */
  history: readonly string[];
}

/** A file with its new text. */
interface EditedFile {
  name: string;
  source: SourceFile;
  result: string;
  notes: string[];
}

/** An edit of several files is applied in all of them, changes nothing, or is refused. */
export type MultiFileResult =
  | { status: "applied"; files: EditedFile[]; explanation: string }
  | { status: "no-change"; explanation: string }
  | { status: "refused"; refusals: FileRefusal[]; explanation: string };

/** Why the edit of a file was refused; without a name, the whole answer. */
interface FileRefusal {
  name?: string;
  refusal: Refusal;
}

const fileRefusalText = ({ name, refusal }: FileRefusal): string =>
  `${name === undefined ? "" : `${name}: `}${refusalText(refusal)}`;

/** Why an answer was refused, with the reasons of all files. */
export const refusalReason = (refused: { refusal: Refusal } | { refusals: readonly FileRefusal[] }): string =>
  ("refusals" in refused ? refused.refusals : [refused]).map(fileRefusalText).join("\n");

/** The answer, and the files that it may edit. */
interface MultiFileAnswer extends EndOfAnswer {
  text: string;
  /** The app's folder, absolute; new files may be added in it, see `placeOfAnsweredFile`. */
  app: string;
  files: readonly FileToEdit[];
  syntax: SyntaxPolicy;
  /** See `TokenEscape`. */
  restore?: TokenEscape["restore"];
}

/**
 * Applies an answer with edits of several files, to all of them or to none; nothing is written. A file that has text is
 * changed by search and replace, a new or empty one is written whole.
 */
export async function applyMultiFileAnswer({
  text,
  app,
  files,
  syntax,
  restore = (each) => each,
  ...end
}: MultiFileAnswer): Promise<MultiFileResult> {
  const python = await pythonOfApp(app);
  let explanation = "";
  const refusals: FileRefusal[] = [];
  const edited: EditedFile[] = [];
  try {
    const parsed = parseMultiFileAnswer(text, end);
    explanation = restore(parsed.explanation);
    const places = new Set<string>();
    const named = files.map(({ name }) => name);
    const isOfRequest = parsed.files.some(({ path }) => named.includes(restore(path)));
    for (const blocks of parsed.files) {
      const path = restore(blocks.path);
      const outcome = await refusalOf(path, async () => {
        const file = files.find(({ name }) => name === path) ?? (await newFile(app, path, isOfRequest ? named : null));
        if (file.source.hash === NO_FILE && places.has(foldName(file.source.path)))
          throw new Refused("wrong-path", "Another new file differs in its letters only.", "Choose another name.");
        places.add(foldName(file.source.path));
        return editFile(file, { ...blocks, explanation }, { syntax, python }, restore);
      });
      if (outcome && "refusal" in outcome) refusals.push(outcome);
      else if (outcome) edited.push(outcome);
    }
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    refusals.push({ refusal: error.refusal });
  }
  if (refusals.length > 0) return { status: "refused", refusals, explanation };
  return edited.length > 0 ? { status: "applied", files: edited, explanation } : { status: "no-change", explanation };
}

/** @param named paths of the request; null when the answer changes none of them */
async function newFile(app: string, name: string, named: readonly string[] | null): Promise<FileToEdit> {
  if (named === null) throw wrongPath(name, "is no file of the request, and the answer changes none of those.");
  const path = await placeOfAnsweredFile(app, name, named);
  return { name, source: await readPossibleSource(path), history: [] };
}

/** The edited file; undefined when the edit changes nothing. @throws Refused */
async function editFile(
  { name, source, history }: FileToEdit,
  { explanation, ...blocks }: FileBlocks & { explanation: string },
  options: Pick<SyntaxOptions, "syntax" | "python">,
  restore: TokenEscape["restore"],
): Promise<EditedFile | undefined> {
  const edit = restoreEdit(editOfFile(blocks, instructFormat(source.text), source.text), restore);
  const lang = languageOfFile(name);
  const outcome = await applyEdit(source.text, { kind: "edit", edit, explanation }, { ...options, lang, history });
  if (outcome.status === "refused") {
    const { code, reason, hint, line } = outcome.refusal;
    throw new Refused(code, reason, hint, line);
  }
  if (outcome.status === "applied") {
    const { result, notes } = outcome;
    // A closing fence ends the last line of a new file.
    const end = source.hash === NO_FILE && !result.endsWith("\n") ? "\n" : "";
    return { name, source, result: result + end, notes };
  }
  return source.hash === NO_FILE ? { name, source, result: "", notes: [] } : undefined;
}

async function refusalOf<T>(name: string, step: () => Promise<T>): Promise<T | FileRefusal> {
  try {
    return await step();
  } catch (error) {
    if (error instanceof Refused) return { name, refusal: error.refusal };
    throw error;
  }
}
