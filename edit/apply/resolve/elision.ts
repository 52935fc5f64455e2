import { languageName } from "../../formats/language-name.ts";
import { Refused } from "../../refusal.ts";
import { findLeftOut } from "./left-out.ts";
import type { LineEdit } from "./line-edits.ts";

const COMMENT = /^\s*(?:#+|\/\/+|\/\*+|\*+|<!--|\{\/\*|--+|;+|%+|"""|''')\s*(.*?)\s*(?:\*+\/\}?|-->|"""|''')?\s*$/;
/** Code that does nothing, before a comment. */
const NO_CODE = /^\s*(?:pass|return|\.\.\.|\{\s*\}|;)\s+(?=#|\/\/|\/\*)/;
const DOTS = /\.{3,}|…/;
/** Dots, dashes, brackets and white space around the words of a comment. */
const AROUND = /^[\s.…\-–—=~*[\](){}<>:,]+|[\s.…\-–—=~*[\](){}<>:,!]+$/g;

const PARTS =
  "(?:code|file|lines?|contents?|methods?|functions?|class(?:es)?|imports?|script|document|page|body|logic|implementation|text|rules?|styles?|settings|configuration|config|sections?|items?|entries)";
const STATE =
  "(?:unchanged|untouched|unmodified|the same|same|as (?:before|above|is|it was|they (?:are|were))|omitted|here|below|not shown|continues|for brevity|goes|stays?|remains?|follows?|is|are|was|were|kept|elided|truncated|skipped)";
const STATES = `(?:${STATE}(?: ${STATE})*)`;
const KEPT = "(?:rest|remainder|remaining|other|existing|previous|original|same|unchanged|everything else)";
/** Phrases that name the lines that are left out. Each is the whole comment, so that prose with these words is none. */
const PHRASES = new RegExp(
  `^(?:todo:? )?(?:(?:\\w+ )?(?:keep|leave|insert|add|include|copy) )?(?:all |the |your |any |of )*(?:` +
    `(?:rest|remainder)(?: of (?:the |your |this )?(?:\\w+ )?${PARTS})?(?: ${STATES})?|` +
    `(?:everything else|rest|remainder)(?: ${STATES})?|` +
    `(?:existing|unchanged) (?:\\w+ )?${PARTS}(?: ${STATES})?|` +
    `(?:remaining|previous|original|same|other) (?:\\w+ )?${PARTS} ${STATES}|` +
    `(?:${PARTS} )?(?:is |are )?(?:unchanged|omitted|elided|same as (?:before|above)|as before|unmodified)(?: ${STATES})?|` +
    `${PARTS} (?:continues?|remains?|stays?)(?: ${STATES})?|lines? \\d+ ?(?:-|–|to|through) ?\\d+(?: ${STATES})?|same|` +
    `no (?:other )?changes?(?: (?:here|below|above|needed|required))*|snip(?:ped)?|truncated)$`,
  "i",
);
const DEFINITION = /^\s*(?:export )?(?:default )?(?:async )?(?:def|class|function|interface|type) (\w+)/;
const LOOSE = new RegExp(`\\b${KEPT}\\b|\\b(?:unchanged|omitted|as before|etc)\\b`, "i");

/** Lines of diffs and of merge conflicts. */
const DIFF_MARK = /^(?:@@ -\d+(?:,\d+)? \+\d+|--- a\/|\+\+\+ b\/|<{7} |>{7} |<{7}$|>{7}$)/;
/** Longer lines, in characters, are code. */
const MAX_LENGTH = 300;
/** Characters of a line that a refusal quotes. */
const MAX_QUOTE = 80;

/** A comment that begins with dots, also after code; the slashes of an address begin none. */
const DOTTED_COMMENT = /(?:(?:^|\s)#+|(?:^|[^:])\/\/+|\/\*+|<!--)\s*(?:\.{3,}|…)/;
/** Dots where code is expected, with what comes before them: `x = ...`, `f() { ... }`, `"a": [...],`. */
const DOTS_AT_END = /^(.*[\s([{=:])(?:\.{3,}|…)[\s)\]},;]*$/;

/** Whether a line stands for lines that are left out, such as `# ... rest unchanged ...`. */
function standsForOthers(line: string): boolean {
  const inComment = COMMENT.exec(line.replace(NO_CODE, ""))?.[1];
  const text = (inComment ?? line).trim();
  const words = text.replace(AROUND, "");
  const isMarked = DOTS.test(text) || /^[[({<].*[\])}>]$/.test(text);
  if (inComment === undefined && !isMarked) return false;
  if (words === "") return DOTS.test(text) && !/[\w"'`]/.test(text);
  if (PHRASES.test(words)) return true;
  const begins = /^[[({<]*\s*(?:\.{3,}|…)\s/.test(text);
  if (inComment === undefined) return begins && LOOSE.test(words);
  return begins || (/(?:\.{3,}|…)\s*[\])}>]*$/.test(text) && LOOSE.test(words));
}

/** The names that a text defines. */
const definitionsOf = (lines: readonly string[]): Set<string> =>
  new Set(lines.flatMap((line) => DEFINITION.exec(line)?.[1] ?? []));

/** The words of a comment; empty for code. */
const wordsOf = (line: string): string =>
  COMMENT.exec(line.replace(NO_CODE, "").trim())?.[1]?.replace(AROUND, "") ?? "";

/** The new lines that are comments about a definition that is removed, by their index among those of the edit. */
function commentsOnRemoved(file: readonly string[], { start, end, lines }: LineEdit): Set<number> {
  const kept = definitionsOf(lines);
  const removed = new Set([...definitionsOf(file.slice(start, end))].filter((name) => !kept.has(name)));
  const namesRemoved = (words: string) => words.split(/\W+/).some((word) => removed.has(word));
  return new Set(
    lines.flatMap((line, at) => {
      const words = removed.size === 0 ? "" : wordsOf(line);
      return namesRemoved(words) ? [at] : [];
    }),
  );
}

/** What to do with a comment in the place of lines that go, which may be meant: refuse, or apply with a note that names them. */
export type ElisionPolicy = "refuse" | "note";

/**
 * Refuses new lines that stand for code which the answer leaves out: the code would be lost. A line that the file has
 * already is code, unless it stands in the place of others. So is Python's `...` in something new. A diff leaves code out, too.
 * @returns notes on lines that go
 * @throws Refused `elision`, `malformed` for the marks of a diff
 */
export function refuseElision(
  file: readonly string[],
  edits: readonly LineEdit[],
  lang: string,
  policy: ElisionPolicy = "refuse",
): string[] {
  const known = file.map((line) => line.trim());
  const isKnown = new Set(known);
  for (const edit of edits) refuseMarks(file, edit, lang, known, isKnown);
  const leftOut = findLeftOut(file, edits, lang);
  if (leftOut === undefined) return [];
  const { comment, at, first, last } = leftOut;
  const lines = `${first === last ? `line ${first}` : `lines ${first} to ${last}`} of the file would go (${quote(file[first - 1])}${first === last ? "" : ` to ${quote(file[last - 1])}`})`;
  const reason = `${quote(comment)} stands where ${lines}, and the answer does not repeat them.`;
  if (policy === "note") return [`${reason} Check that they are meant to go.`];
  throw new Refused("elision", reason, "Write them out, or delete them without a comment in their place.", at + 1);
}

const quote = (line = "") => JSON.stringify(line.trim().slice(0, MAX_QUOTE));

function refuseMarks(
  file: readonly string[],
  edit: LineEdit,
  lang: string,
  known: readonly string[],
  isKnown: ReadonlySet<string>,
): void {
  const { lines } = edit;
  const onRemoved = commentsOnRemoved(file, edit);
  // In a new file, a comment alone stands for nothing.
  const isNew = known.every((line) => line === "");
  for (const [at, each] of lines.entries()) {
    const line = each.trim();
    if (line.length > MAX_LENGTH || isKnown.has(line)) continue;
    if (DIFF_MARK.test(line)) {
      const mark = `${JSON.stringify(line)} is the mark of a diff or a merge, not code.`;
      throw new Refused("malformed", mark, "Answer in the format that was asked for.", at + 1);
    }
    const above = lines[at - 1]?.trim() ?? "";
    const isBody = line === "..." && languageName(lang) === "python" && above.endsWith(":") && !isKnown.has(above);
    const before = DOTS_AT_END.exec(line)?.[1]?.trim() ?? "";
    const cutsLine = before !== "" && known.some((other) => other.startsWith(before));
    const isElision =
      cutsLine ||
      DOTTED_COMMENT.test(line) ||
      (standsForOthers(line) && !(isNew && !DOTS.test(line))) ||
      onRemoved.has(at);
    if (isBody || !isElision) continue;
    const reason = `${JSON.stringify(line)} stands for lines that the answer leaves out.`;
    throw new Refused("elision", reason, "Write every line out, or change only the lines that differ.", at + 1);
  }
}
