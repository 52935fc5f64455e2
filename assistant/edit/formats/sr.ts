import { Refused } from "../refusal.ts";
import { TOKEN } from "../tokens.ts";
import type { ParsedEdit, SearchEdit } from "./edit.ts";
import { FENCE, openingLanguage, reopens } from "./fence.ts";

const SHAPE = `Each edit is a fenced block: search lines, ${TOKEN.separator} on a line of its own, replacement lines.`;

/**
 * A search-and-replace answer: fenced blocks with one separator each. Between two separators stands exactly one
 * closing fence followed by an opening one, or the edit is refused.
 * @throws Refused `malformed`, `ambiguous`
 */
export function parseSr(lines: readonly string[]): ParsedEdit {
  const last = lines.length - 1;
  const lang = openingLanguage(lines[0]);
  const astray = lines.findIndex((line) => line !== TOKEN.separator && line.includes(TOKEN.separator));
  if (astray >= 0) throw new Refused("malformed", "The separator shares its line with text.", SHAPE, astray + 1);
  const separators = lines.flatMap((line, at) => (line === TOKEN.separator ? [at] : []));
  if (lang === undefined || lines[last] !== FENCE || separators.length === 0 || separators[0] === 0) {
    throw new Refused("malformed", "The edit is not a list of fenced searches and replacements.", SHAPE, 1);
  }
  const joints = separators.slice(1).map((next, index) => onlyJoint(lines, separators[index] as number, next));
  const edits = separators.map((separator, index): SearchEdit => {
    const open = index === 0 ? 0 : (joints[index - 1] as number) + 1;
    const close = joints[index] ?? last;
    return { search: lines.slice(open + 1, separator), lines: lines.slice(separator + 1, close), at: open + 1 };
  });
  const merged = edits.find((edit) => reopens(edit.search, lines[0]) || reopens(edit.lines, lines[0]));
  if (merged) throw new Refused("ambiguous", "An edit reads as two, one without its separator.", SHAPE, merged.at);
  return { format: "sr", lang, edits };
}

/** The line (0-based) of the one closing fence between two separators that an opening fence follows. */
function onlyJoint(lines: readonly string[], after: number, before: number): number {
  const joints: number[] = [];
  for (let at = after + 1; at + 1 < before; at += 1) {
    if (lines[at] === FENCE && openingLanguage(lines[at + 1]) !== undefined) joints.push(at);
  }
  const [joint] = joints;
  if (joint === undefined) throw new Refused("malformed", "One block has two separators.", SHAPE, before + 1);
  if (joints.length === 1) return joint;
  const places = joints.map((at) => at + 1).join(" and ");
  const reason = `The block could end at lines ${places} of the edit.`;
  throw new Refused("ambiguous", reason, "Ask again for one edit.", joint + 1);
}
