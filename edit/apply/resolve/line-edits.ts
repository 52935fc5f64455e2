import { Refused } from "../../refusal.ts";
import { diffLines } from "../../text/difflib.ts";
import { type Line, uniformLineEnd } from "../../text/lines.ts";
import type { Splice } from "../splice.ts";

/** Lines that replace the lines `[start, end)` of a file, counted from 0; an empty range inserts before line `start`. */
export interface LineEdit {
  start: number;
  end: number;
  lines: readonly string[];
}

/** Line edits with notes on those that were adapted to the file. */
export interface LineEdits {
  edits: LineEdit[];
  notes: string[];
}

/**
 * Sorts edits by their lines.
 * @param edits with the line of the answer where each begins
 * @throws Refused `overlap` when two edits have a line in common, or insert at the same place
 */
export function sortDisjoint(edits: readonly (LineEdit & { at: number })[]): LineEdit[] {
  const sorted = [...edits].sort((a, b) => a.start - b.start || a.end - b.end);
  for (const [index, next] of sorted.entries()) {
    const previous = sorted[index - 1];
    if (previous === undefined) continue;
    const sameSpot = previous.start === previous.end && next.end === next.start && next.start === previous.start;
    if (next.start >= previous.end && !sameSpot) continue;
    const reason = `The edits at lines ${previous.at} and ${next.at} of the answer touch the same lines of the file.`;
    throw new Refused("overlap", reason, "Give each line of the file to one edit only.", next.at);
  }
  return sorted.map(({ start, end, lines }) => ({ start, end, lines }));
}

/**
 * Turns line edits, sorted and disjoint, into splices that change no line end outside of them.
 *
 * A file with one kind of line end uses it for new lines, too. In a file with both kinds, or with one line, an answer with "\r" is taken
 * literally; otherwise a new line takes the end of the line that it replaces or follows.
 */
export function toSplices(file: readonly Line[], separate: readonly LineEdit[]): Splice[] {
  const uniform = uniformLineEnd(file);
  const isMixed = file.length > 1 && uniform === undefined;
  const edits = withRemovedEnd(file, isMixed ? separate.flatMap((edit) => changedLines(file, edit)) : separate);
  const answerHasReturns = edits.some(({ lines }) => lines.some((line) => line.endsWith("\r")));
  const literal = answerHasReturns && (uniform === undefined || file.some(({ body }) => body.includes("\r")));
  return edits.map((edit) => (literal ? literalSplice(file, edit) : adaptedSplice(file, edit, uniform)));
}

/** The parts of an edit that change lines, in a file with both kinds of line ends: the others keep theirs. */
function changedLines(file: readonly Line[], { start, end, lines }: LineEdit): LineEdit[] {
  const before = file.slice(start, end).map(({ body }) => body);
  const after = lines.map((line) => line.replace(/\r$/, ""));
  return diffLines(before, after).map(({ aStart, aEnd, bStart, bEnd }) => {
    return { start: start + aStart, end: start + aEnd, lines: lines.slice(bStart, bEnd) };
  });
}

/** Joins a removal at the end of a file to the edit right above or below it: alone it takes the line end above it, too. */
function withRemovedEnd(file: readonly Line[], edits: readonly LineEdit[]): readonly LineEdit[] {
  const [above, last] = edits.slice(-2);
  if (above === undefined || last === undefined) return edits;
  const removes = above.lines.length === 0 || last.lines.length === 0;
  if (!removes || above.end !== last.start || last.end !== file.length) return edits;
  const joined = { start: above.start, end: last.end, lines: [...above.lines, ...last.lines] };
  return withRemovedEnd(file, [...edits.slice(0, -2), joined]);
}

function adaptedSplice(
  file: readonly Line[],
  { start, end, lines }: LineEdit,
  uniform: Line["end"] | undefined,
): Splice {
  const bodies = uniform === undefined ? lines : lines.map((line) => line.replace(/\r$/, ""));
  const lineEnd = uniform ?? endNear(file, start);
  const [first, last, above] = [file[start], file[end - 1], file[start - 1]];
  const eof = file.at(-1)?.stop ?? 0;
  if (start === end) {
    if (first === undefined) return { start: eof, stop: eof, text: bodies.map((body) => lineEnd + body).join("") };
    return { start: first.start, stop: first.start, text: bodies.map((body) => body + lineEnd).join("") };
  }
  const from = (first as Line).start;
  if (bodies.length > 0) return { start: from, stop: (last as Line).stop, text: bodies.join(lineEnd) };
  const below = file[end];
  if (below) return { start: from, stop: below.start, text: "" };
  return { start: above ? above.stop : from, stop: eof, text: "" };
}

/** The lines as the answer gives them, a final "\r" included, joined by "\n". */
function literalSplice(file: readonly Line[], { start, end, lines }: LineEdit): Splice {
  const eof = file.at(-1)?.stop ?? 0;
  const [first, below, above] = [file[start], file[end], file[start - 1]];
  if (first === undefined) return { start: eof, stop: eof, text: lines.map((line) => `\n${line}`).join("") };
  if (below) return { start: first.start, stop: below.start, text: lines.map((line) => `${line}\n`).join("") };
  if (lines.length > 0) return { start: first.start, stop: eof, text: lines.join("\n") };
  return { start: above ? above.stop : first.start, stop: eof, text: "" };
}

/** The line end for new lines at a line: that of the line itself, of the one above, or of the first. */
function endNear(file: readonly Line[], at: number): "\n" | "\r\n" {
  return file[at]?.end || file[at - 1]?.end || file[0]?.end || "\n";
}
