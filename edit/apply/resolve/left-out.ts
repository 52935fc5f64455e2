import { languageName } from "../../formats/language-name.ts";
import { diffLines, type Hunk } from "../../text/difflib.ts";
import type { LineEdit } from "./line-edits.ts";

/** A comment in the place of lines of the file that go and that the edit never repeats. */
interface LeftOut {
  comment: string;
  /** Its line among those of the edit, from 0. */
  at: number;
  /** The lines of the file that would go, from 1, the last one included. */
  first: number;
  last: number;
}

/** What begins a comment, by the language. */
const COMMENTS: Readonly<Record<string, RegExp>> = {
  python: /^(?:#|"""|''')/,
  ...Object.fromEntries(["bash", "yaml", "toml", "text"].map((name) => [name, /^#/])),
  ...Object.fromEntries(["javascript", "typescript"].map((name) => [name, /^(?:\/\/|\/\*|\{\/\*|\*(?!\w))/])),
  css: /^(?:\/\*|\*(?!\w))/,
  html: /^(?:<!--|\{#|\/\/|\/\*)/,
  markdown: /^<!--/,
};
const ANY_COMMENT = /^(?:#|\/\/|\/\*|\{\/\*|<!--|--|;|%|"""|''')/;
/** Words in brackets, or with dots around them. */
const REMARK = /^[[({<][\p{L}\s….,'’-]*[\])}>]\.?$|^(?:\.{3}|…)|(?:\.{3}|…)$/u;
/** Where a comment may begin behind code. */
const BEHIND = /\s+(?=#|\/\/|\/\*|<!--)/g;

const commentOf = (lang: string) => {
  const begins = COMMENTS[languageName(lang)] ?? ANY_COMMENT;
  return (line: string) => begins.test(line.trim()) || REMARK.test(line.trim());
};

/** More pairs of lines are not compared. */
const MAX_PAIRS = 1_000_000;
/** Two lines are versions of each other when they have this share of characters in common at both ends. */
const ALIKE = 0.5;

/**
 * Finds a new comment in the place of a run of lines that go, whatever its words: where more lines go than lines of code come, and
 * the edits repeat not all of them. Lines that are alike on both sides divide a change into such places. A comment that is shorter
 * than the one before is none when they have words in common.
 * @param edits all edits of the file: what one of them takes away, another one may bring
 */
export function findLeftOut(file: readonly string[], edits: readonly LineEdit[], lang: string): LeftOut | undefined {
  const isComment = commentOf(lang);
  const kept = new Set(edits.flatMap(({ lines }) => lines.map((line) => line.trim())));
  const isFilled = (line: string) => line.trim() !== "";
  const isLost = (line: string) => isFilled(line) && !kept.has(line.trim());
  for (const { start, end, lines } of edits) {
    if (end - start < 2) continue;
    const before = file.slice(start, end);
    const { after, places } = splitComments(before, lines, isComment);
    const doubled = doubledComment(before, after, isComment);
    const hunks = diffLines(before, after);
    if (doubled !== undefined) {
      // The comment may be taken for the one that the file has: the whole edit is the place.
      const gone = hunks.flatMap(({ aStart, aEnd }) => before.slice(aStart, aEnd)).filter(isLost);
      const come = hunks
        .flatMap(({ bStart, bEnd }) => after.slice(bStart, bEnd))
        .filter((line) => isFilled(line) && !isComment(line));
      if (gone.length >= 2 && gone.length > come.length) {
        const lost = before.findIndex(isLost);
        const last = before.findLastIndex(isLost);
        return {
          comment: doubled.trim(),
          at: places[after.lastIndexOf(doubled)] ?? 0,
          first: start + lost + 1,
          last: start + last + 1,
        };
      }
    }
    for (const hunk of joinHunks(before, hunks)) {
      if (hunk.bEnd === hunk.bStart || hunk.aEnd - hunk.aStart < 2) continue;
      for (const { aStart, aEnd, bStart, bEnd } of [hunk, ...placesIn(before, after, hunk)]) {
        const gone = before.slice(aStart, aEnd).filter(isFilled);
        const come = after.slice(bStart, bEnd).filter(isFilled);
        const at = after.findIndex((line, index) => index >= bStart && index < bEnd && isComment(line));
        if (at < 0 || gone.length < 2 || gone.length <= come.filter((line) => !isComment(line)).length) continue;
        if (gone.every((line) => kept.has(line.trim())) || isShorter(gone, come, isComment)) continue;
        const first = start + before.findIndex((line, index) => index >= aStart && isFilled(line)) + 1;
        return { comment: after[at]?.trim() ?? "", at: places[at] ?? 0, first, last: start + aEnd };
      }
    }
  }
  return undefined;
}

/** A comment of the file that the new lines have more often. */
function doubledComment(
  before: readonly string[],
  after: readonly string[],
  isComment: (line: string) => boolean,
): string | undefined {
  const count = (lines: readonly string[], line: string) => lines.filter((each) => each.trim() === line.trim()).length;
  const comments = [...new Set(after.filter(isComment))].filter((line) =>
    before.some((each) => each.trim() === line.trim()),
  );
  return comments.find((line) => count(after, line) > count(before, line));
}

/** Lines in which a comment behind a line of the file, or a version of one, is a line of its own, and their places before. */
function splitComments(
  file: readonly string[],
  lines: readonly string[],
  isComment: (line: string) => boolean,
): { after: string[]; places: number[] } {
  const known = new Set(file.map((line) => line.trimEnd()));
  const isVersion = (code: string) => known.has(code) || file.some((each) => areAlike(each.trim(), code.trim()));
  const parts = lines.flatMap((line, at) => {
    const found = known.has(line.trimEnd())
      ? undefined
      : [...line.matchAll(BEHIND)].find(
          // A colour of CSS begins as a comment of Python does.
          ({ index }) => isComment(line.slice(index).trim()) && isVersion(line.slice(0, index)),
        );
    if (found === undefined) return [{ line, at }];
    const { index } = found;
    return [line.slice(0, index), line.slice(index).trim()].map((part) => ({ line: part, at }));
  });
  return { after: parts.map(({ line }) => line), places: parts.map(({ at }) => at) };
}

/** Changes, joined where only lines are between them that may be others: without words, or more than once in the text. */
function joinHunks(before: readonly string[], hunks: readonly Hunk[]): Hunk[] {
  const counts = new Map<string, number>();
  for (const line of before) counts.set(line, (counts.get(line) ?? 0) + 1);
  const isPlace = (line: string) => /[\p{L}\p{N}]/u.test(line) && counts.get(line) === 1;
  const joined: Hunk[] = [];
  for (const hunk of hunks) {
    const last = joined.at(-1);
    if (last === undefined || before.slice(last.aEnd, hunk.aStart).some(isPlace)) joined.push({ ...hunk });
    else Object.assign(last, { aEnd: hunk.aEnd, bEnd: hunk.bEnd });
  }
  return joined;
}

/** The places between lines of a change that are versions of each other. */
function placesIn(before: readonly string[], after: readonly string[], { aStart, aEnd, bStart, bEnd }: Hunk): Hunk[] {
  if ((aEnd - aStart) * (bEnd - bStart) > MAX_PAIRS) return [];
  const places: Hunk[] = [];
  let [a, b] = [aStart, bStart];
  for (let at = bStart; at < bEnd; at += 1) {
    const line = (after[at] as string).trim();
    const version = before.findIndex((each, index) => index >= a && index < aEnd && areAlike(each.trim(), line));
    if (version < 0) continue;
    places.push({ aStart: a, aEnd: version, bStart: b, bEnd: at });
    [a, b] = [version + 1, at + 1];
  }
  return [...places, { aStart: a, aEnd, bStart: b, bEnd }];
}

function areAlike(one: string, other: string): boolean {
  const shorter = Math.min(one.length, other.length);
  if (shorter < 4) return false;
  let begin = 0;
  while (begin < shorter && one[begin] === other[begin]) begin += 1;
  let end = 0;
  while (end < shorter - begin && one.at(-1 - end) === other.at(-1 - end)) end += 1;
  return begin + end >= ALIKE * Math.max(one.length, other.length) || (begin === shorter && begin >= 8);
}

/** Whether comments become a shorter comment on the same. */
function isShorter(gone: readonly string[], come: readonly string[], isComment: (line: string) => boolean): boolean {
  if (!come.every(isComment) || !gone.every(isComment)) return false;
  const words = new Set(wordsOf(gone));
  const said = wordsOf(come);
  return said.length > 0 && said.filter((word) => words.has(word)).length >= 0.5 * said.length;
}

const wordsOf = (lines: readonly string[]) =>
  lines
    .join(" ")
    .toLowerCase()
    .match(/[\p{L}\p{N}]{3,}/gu) ?? [];
