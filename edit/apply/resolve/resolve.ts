import type { ParsedEdit } from "../../formats/edit.ts";
import type { Convention } from "../../formats/format.ts";
import { isKnownLanguage, languageName } from "../../formats/language-name.ts";
import { Refused } from "../../refusal.ts";
import { BOM, type Line, linesOf } from "../../text/lines.ts";
import type { Splice } from "../splice.ts";
import { refuseAmbiguousFences } from "./code-fences.ts";
import { type ElisionPolicy, refuseElision } from "./elision.ts";
import { restoreRepeatedLines } from "./kept-lines.ts";
import { type LineEdits, toSplices } from "./line-edits.ts";
import { resolveLc } from "./resolve-lc.ts";
import { resolveSr } from "./resolve-sr.ts";
import { type FinalNewlinePolicy, resolveWf } from "./resolve-wf.ts";

export interface ResolveOptions {
  /** How LC ranges count. Default `inclusive`. */
  convention?: Convention;
  /** The language of the file; an answer in another one is refused. Default: unknown. */
  lang?: string;
  /** Whether the file's final newline is kept when a whole file lacks it, or the end is as answered. Default `keep`. */
  finalNewline?: FinalNewlinePolicy;
  /** Default `refuse`. */
  elision?: ElisionPolicy;
  /** Older versions of the file, so that a refusal can say that an answer quotes one of them. */
  history?: readonly string[];
}

/** An edit as splices of a text, in ascending order (none when it changes nothing), with notes on adaptations. */
export interface Resolved {
  splices: Splice[];
  notes: string[];
}

/**
 * Resolves an edit against its text.
 * @throws Refused when the edit does not fit exactly
 */
export function resolveEdit(current: string, edit: ParsedEdit, options: ResolveOptions = {}): Resolved {
  refuseOtherLanguage(edit.lang, options.lang ?? "");
  const file = linesOf(current);
  const bodies = file.map((line) => line.body);
  const found = toLineEdits(edit, file, bodies, options);
  const { edits, notes: restored } = restoreRepeatedLines(bodies, found.edits, edit.format === "wf");
  const lang = options.lang || edit.lang;
  for (const each of edits) {
    refuseAmbiguousFences(bodies.slice(each.start, each.end), each.lines, { ticks: edit.ticks, lang });
  }
  const notes = [...found.notes, ...restored, ...refuseElision(bodies, edits, lang, options.elision)];
  const withoutBom = current.startsWith(BOM)
    ? edits.map((each) => (each.start === 0 ? { ...each, lines: stripBom(each.lines) } : each))
    : edits;
  const splices = toSplices(file, withoutBom);
  return { splices: splices.filter(({ start, stop, text }) => current.slice(start, stop) !== text), notes };
}

function toLineEdits(edit: ParsedEdit, file: Line[], bodies: string[], options: ResolveOptions): LineEdits {
  const { convention = "inclusive", finalNewline } = options;
  if (edit.format === "wf")
    return { edits: resolveWf(stripRepeatedBom(edit.lines, file), file, finalNewline), notes: [] };
  if (edit.format === "lc") return { edits: resolveLc(edit, convention, bodies), notes: [] };
  const stripReturn = (line: string) => line.replace(/\r$/, "");
  const searches = edit.edits.map((each) => ({
    ...each,
    search: stripRepeatedBom(each.search, file).map(stripReturn),
  }));
  return resolveSr(searches, bodies.map(stripReturn), options.history);
}

/** Removes a byte order mark before the first line: a prompt may show it, and an answer repeats it. */
const stripBom = (lines: readonly string[]) =>
  lines[0]?.startsWith(BOM) ? [lines[0].slice(BOM.length), ...lines.slice(1)] : [...lines];

/** Removes the mark from lines that begin with the file's first line, unless the file has that line with a mark elsewhere. */
function stripRepeatedBom(lines: string[], file: readonly Line[]): string[] {
  const [first] = file;
  const repeats = first?.start === BOM.length && lines[0] === BOM + first.body;
  return repeats && file.every((line) => line.body !== lines[0]) ? stripBom(lines) : lines;
}

function refuseOtherLanguage(answered: string, wanted: string): void {
  const [one, other] = [languageName(answered), languageName(wanted)];
  if (one === "" || one === other || (other === "" && isKnownLanguage(one))) return;
  const reason =
    other === ""
      ? `${answered} is not the name of a language.`
      : `The answer is in ${answered}, the file in ${wanted}.`;
  throw new Refused("wrong-language", reason, `Answer with code fenced as ${wanted || "its language"}.`);
}
