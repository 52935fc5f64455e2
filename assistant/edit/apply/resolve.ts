import type { ParsedEdit } from "../formats/edit.ts";
import type { Convention } from "../formats/format.ts";
import { Refused } from "../refusal.ts";
import { BOM, type Line, linesOf } from "../text/lines.ts";
import { type LineEdit, toSplices } from "./line-edits.ts";
import { resolveLc } from "./resolve-lc.ts";
import { resolveSr } from "./resolve-sr.ts";
import { resolveWf } from "./resolve-wf.ts";
import { changing, type Splice } from "./splice.ts";

export interface ResolveOptions {
  /** How LC ranges are read. Default `inclusive`. */
  convention?: Convention;
  /** The language of the file; an answer in another one is refused. Default: unknown. */
  lang?: string;
}

/** What an edit does to a text: splices in ascending order (none when it changes nothing), and what was adapted. */
export interface Resolved {
  splices: Splice[];
  notes: string[];
}

const LEADING_BOM = new RegExp(`^${BOM}`);

interface LineEdits {
  edits: LineEdit[];
  notes: string[];
}

/**
 * Holds an edit against the text it is for.
 * @throws Refused for everything that is not exact
 */
export function resolveEdit(current: string, edit: ParsedEdit, options: ResolveOptions = {}): Resolved {
  refuseOtherLanguage(edit.lang, options.lang ?? "");
  const file = linesOf(current);
  const bodies = file.map((line) => line.body);
  const { edits, notes } = toLineEdits(edit, file, bodies, options.convention ?? "inclusive");
  const marked = current.startsWith(BOM);
  const exact = marked
    ? edits.map((each) => (each.start === 0 ? { ...each, lines: unmarked(each.lines) } : each))
    : edits;
  return { splices: changing(current, toSplices(file, exact)), notes };
}

function toLineEdits(edit: ParsedEdit, file: Line[], bodies: string[], convention: Convention): LineEdits {
  if (edit.format === "wf") return { edits: resolveWf(unmarkedFirst(edit.lines, file), file), notes: [] };
  if (edit.format === "lc") return { edits: resolveLc(edit.edits, convention, bodies), notes: [] };
  const bare = (line: string) => line.replace(/\r$/, "");
  const searches = edit.edits.map((each) => ({ ...each, search: unmarkedFirst(each.search, file).map(bare) }));
  return resolveSr(searches, bodies.map(bare));
}

/** A prompt shows the byte order mark as the first character of the code, so an answer may repeat it there. */
const unmarked = (lines: readonly string[]) =>
  lines.map((line, at) => (at === 0 ? line.replace(LEADING_BOM, "") : line));

/** Lines without the mark when they begin with the file's own first line, mark and all, and no other line is like it. */
function unmarkedFirst(lines: string[], file: readonly Line[]): string[] {
  const [first] = file;
  const repeats = first?.start === BOM.length && lines[0] === BOM + first.body;
  return repeats && file.every((line) => line.body !== lines[0]) ? unmarked(lines) : lines;
}

const ALIASES: Readonly<Record<string, string>> = {
  py: "python",
  python3: "python",
  js: "javascript",
  ts: "typescript",
};

/** The usual name of a language. */
export function languageName(lang: string): string {
  const name = lang.trim().toLowerCase();
  return ALIASES[name] ?? name;
}

function refuseOtherLanguage(answered: string, wanted: string): void {
  const [one, other] = [languageName(answered), languageName(wanted)];
  if (one === "" || other === "" || one === other) return;
  const reason = `The answer is in ${answered}, the file in ${wanted}.`;
  throw new Refused("wrong-language", reason, `Answer with code fenced as ${wanted}.`);
}
