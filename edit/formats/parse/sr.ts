import { Refused } from "../../refusal.ts";
import { TOKEN } from "../../tokens.ts";
import type { ParsedEdit, SearchEdit } from "../edit.ts";
import { FENCE, hasReopenedBlock, openingLanguage } from "../fence.ts";

const SHAPE = `Each edit is a fenced block: search lines, ${TOKEN.separator} on a line of its own, replacement lines.`;

/**
 * Parses a search-and-replace answer: fenced blocks with one separator each. Between two separators there must be exactly
 * one closing fence followed by an opening one.
 * @throws Refused `malformed`, `ambiguous`
 */
export function parseSr(lines: readonly string[]): ParsedEdit {
  const last = lines.length - 1;
  const lang = openingLanguage(lines[0]);
  const misplaced = lines.findIndex((line) => line !== TOKEN.separator && line.includes(TOKEN.separator));
  if (misplaced >= 0) throw new Refused("malformed", "The separator shares its line with text.", SHAPE, misplaced + 1);
  const separators = lines.flatMap((line, at) => (line === TOKEN.separator ? [at] : []));
  if (lang === undefined || lines[last] !== FENCE || separators.length === 0 || separators[0] === 0) {
    throw new Refused("malformed", "The edit is not a list of fenced searches and replacements.", SHAPE, 1);
  }
  const boundaries = separators
    .slice(1)
    .map((next, index) => onlyBlockBoundary(lines, separators[index] as number, next));
  const edits = separators.map((separator, index): SearchEdit => {
    const open = index === 0 ? 0 : (boundaries[index - 1] as number) + 1;
    const close = boundaries[index] ?? last;
    return { search: lines.slice(open + 1, separator), lines: lines.slice(separator + 1, close), at: open + 1 };
  });
  const merged = edits.find(
    (edit) => hasReopenedBlock(edit.search, lines[0]) || hasReopenedBlock(edit.lines, lines[0]),
  );
  if (merged) throw new Refused("ambiguous", "An edit reads as two, one without its separator.", SHAPE, merged.at);
  return { format: "sr", lang, edits };
}

/** The line, from 0, of the only closing fence between two separators that an opening fence follows. */
function onlyBlockBoundary(lines: readonly string[], after: number, before: number): number {
  const boundaries: number[] = [];
  for (let at = after + 1; at + 1 < before; at += 1) {
    if (lines[at] === FENCE && openingLanguage(lines[at + 1]) !== undefined) boundaries.push(at);
  }
  const [boundary] = boundaries;
  if (boundary === undefined) throw new Refused("malformed", "One block has two separators.", SHAPE, before + 1);
  if (boundaries.length === 1) return boundary;
  const places = boundaries.map((at) => at + 1).join(" and ");
  const reason = `The block could end at lines ${places} of the edit.`;
  throw new Refused("ambiguous", reason, "Ask again for one edit.", boundary + 1);
}
