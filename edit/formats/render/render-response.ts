import { WorkbenchError } from "../../../robot/wire/errors.ts";
import { type ResolveOptions, resolveEdit } from "../../apply/resolve/resolve.ts";
import type { FinalNewlinePolicy } from "../../apply/resolve/resolve-wf.ts";
import { spliceText } from "../../apply/splice.ts";
import { catchRefusal } from "../../refusal.ts";
import { diffLines, type Hunk } from "../../text/difflib.ts";
import { expandToUnique } from "../../text/expand-to-unique.ts";
import { BOM } from "../../text/lines.ts";
import { isBlank } from "../../text/python-space.ts";
import { refuseControlTokens, TOKEN } from "../../tokens.ts";
import { fencedBlock, rangeBlock, searchBlock } from "../fence.ts";
import type { Convention, Format } from "../format.ts";
import { parseResponse } from "../parse/parse-response.ts";

export interface RenderResponseOptions {
  format: Format;
  /** Default `inclusive`. */
  convention?: Convention;
  /** The name after the fences. Default none. */
  lang?: string;
  /** Text after the edit. Default none. */
  explanation?: string;
  /** How the answer will be applied: with `answer`, `wf` can lose a final newline. Default `keep`. */
  finalNewline?: FinalNewlinePolicy;
}

type BlockOptions = Required<Pick<RenderResponseOptions, "format" | "convention" | "lang">> & { fence: string };

/**
 * Writes the answer that turns one text into another: the inverse of `parseResponse` and `applyEdit`, checked by running
 * both.
 * @throws WorkbenchError `control-token`; `edit-refused` when the format cannot express the change unambiguously (a
 *   change of line ends alone, a lost final newline in `wf` that is kept, fence lines that look like the format's own)
 */
export function renderResponse(before: string, after: string, options: RenderResponseOptions): string {
  const { format, convention = "inclusive", lang = "", explanation = "", finalNewline = "keep" } = options;
  refuseControlTokens(after, "the edited text");
  refuseControlTokens(explanation, "the explanation");
  const bomLength = before.startsWith(BOM) && after.startsWith(BOM) ? BOM.length : 0;
  const [from, to] = [before.slice(bomLength), after.slice(bomLength)];
  // The shortest fence that no code has is read in one way only.
  const longest = (`${from}\n${to}`.match(/`{3,}/g) ?? []).reduce((most, run) => Math.max(most, run.length), 3);
  const written = ["```", "`".repeat(longest + 1)].flatMap((fence) =>
    bodies(from, to, { format, convention, lang, fence }),
  );
  for (const body of written) {
    const response = `${TOKEN.editStart}${body}${TOKEN.editEnd}${explanation && `\n${explanation}`}${TOKEN.turnEnd}`;
    if (resultOf(before, response, format, { convention, finalNewline }) === after) return response;
  }
  throw new WorkbenchError(
    "edit-refused",
    `The format ${format} cannot express this change unambiguously. Try another format.`,
  );
}

/** The text after an answer; undefined when it is refused. Syntax is not checked. */
function resultOf(before: string, response: string, format: Format, options: ResolveOptions): string | undefined {
  const parsed = parseResponse(response, { format, current: before });
  if (parsed.kind !== "edit") return parsed.kind === "no-change" ? before : undefined;
  const resolved = catchRefusal(() => resolveEdit(before, parsed.edit, { ...options, elision: "note" }));
  return "code" in resolved ? undefined : spliceText(before, resolved.splices);
}

/** Ways to write the change: in separate blocks, then in one block, which cannot be read as two. */
function bodies(before: string, after: string, { format, convention, lang, fence }: BlockOptions): string[] {
  if (format === "wf") return [fencedBlock(lang, after, fence)];
  if (before === after) return [""];
  const [a, b] = [before.split("\n"), after.split("\n")];
  const hunks = diffLines(a, b);
  const write = ({ aStart, aEnd, bStart, bEnd }: Hunk) => {
    const lines = b.slice(bStart, bEnd).join("\n");
    if (format === "sr") return searchBlock(lang, a.slice(aStart, aEnd).join("\n"), lines, fence);
    return rangeBlock(lang, convention === "slice" ? aStart : aStart + 1, aEnd, lines, fence);
  };
  const separate = expressibleRanges(hunks, a, b, { format, convention });
  const whole = { start: separate[0]?.start ?? 0, end: separate.at(-1)?.end ?? 0 };
  return [separate, [whole]].map((ranges) => ranges.map((range) => write(toHunk(range, hunks))).join("\n"));
}

/**
 * The ranges that the format can express. SR needs searches that occur once; inclusive LC ranges cannot insert; and one
 * blank line as a replacement means a deletion.
 */
function expressibleRanges(
  hunks: readonly Hunk[],
  a: readonly string[],
  b: readonly string[],
  { format, convention }: Pick<BlockOptions, "format" | "convention">,
): Range[] {
  if (format === "sr" && isBlank(a.join(""))) return [{ start: 0, end: a.length }];
  const first = joinRanges((format === "sr" ? expandToUnique(a, hunks) : hunks).map(rangeOf));
  const needsMore = (range: Range) => {
    const { aStart, aEnd, bStart, bEnd } = toHunk(range, hunks);
    if (aStart === aEnd) return convention === "inclusive";
    return bEnd - bStart === 1 && b[bStart] === "";
  };
  return joinRanges(first.map((range) => (needsMore(range) ? includeNeighbour(range, a.length) : range)));
}

/** Lines `[start, end)` of the older text that a block replaces. */
interface Range {
  start: number;
  end: number;
}

const rangeOf = ({ aStart, aEnd }: Hunk): Range => ({ start: aStart, end: aEnd });

/** Extends a range by the line above, or at the top by the line below; unchanged when the text has no other line. */
function includeNeighbour({ start, end }: Range, count: number): Range {
  return start > 0 ? { start: start - 1, end } : { start, end: Math.min(count, end + 1) };
}

/** Sorts ranges and joins those that overlap or touch. */
function joinRanges(ranges: readonly Range[]): Range[] {
  const joined: Range[] = [];
  for (const range of [...ranges].sort((x, y) => x.start - y.start || x.end - y.end)) {
    const last = joined.at(-1);
    if (last && range.start <= last.end) last.end = Math.max(last.end, range.end);
    else joined.push({ ...range });
  }
  return joined;
}

/** The hunk of a range: its lines in the older text, and the lines that the hunks inside it make of them. */
function toHunk({ start, end }: Range, hunks: readonly Hunk[]): Hunk {
  const inside = hunks.filter((hunk) => hunk.aStart >= start && hunk.aEnd <= end);
  const [first, last] = [inside[0] as Hunk, inside.at(-1) as Hunk];
  return {
    aStart: start,
    aEnd: end,
    bStart: first.bStart - (first.aStart - start),
    bEnd: last.bEnd + (end - last.aEnd),
  };
}
