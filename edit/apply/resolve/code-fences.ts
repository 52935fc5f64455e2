import type { ParsedEdit } from "../../formats/edit.ts";
import { looksLikeFence, prefixOfFence, readFence } from "../../formats/fence.ts";
import { isKnownLanguage, languageName } from "../../formats/language-name.ts";
import { Refused } from "../../refusal.ts";
import { diffLines, type Hunk } from "../../text/difflib.ts";
import { isBlank } from "../../text/python-space.ts";

/**
 * Refuses new lines with fences that could be fences of the answer: two answers in one, or a fence too many. A fence is
 * proven to be code when it stands in lines that are already in the file. In Markdown, a new code block is code, too, when
 * it names another language than the answer.
 * @param edit its `ticks`, and the language of the file
 * @throws Refused `ambiguous`
 */
export function refuseAmbiguousFences(
  before: readonly string[],
  after: readonly string[],
  { ticks, lang }: Pick<ParsedEdit, "ticks" | "lang">,
): void {
  const isFence = (line: string) => looksLikeFence(line, ticks);
  const fences = after.flatMap((line, at) => (isFence(line) ? [at] : []));
  const count = before.filter(isFence).length;
  if (fences.length === 0 && count === 0) return;
  const hunks = diffLines(before, after);
  const cut = hunks.at(-1);
  // The lines end where the file has a fence: the closing fence could be that one.
  if (cut?.bStart === after.length && readFence(before[cut.aStart])?.info === "")
    throw unproven(before[cut.aStart] as string);
  // One fence of a code block is lost or doubled.
  if (fences.length % 2 !== count % 2) throw unproven((after[fences.at(-1) ?? -1] ?? before.find(isFence)) as string);
  const proven = unchangedLines(hunks, after, isFence);
  const trailing = after.findLastIndex((line) => !isBlank(line));
  // The last one could be the closing fence, written twice.
  if (fences.length % 2 === 1 && fences.at(-1) === trailing) proven.delete(trailing);
  const isMarkdown = languageName(lang) === "markdown";
  for (let index = 0; index < fences.length; index += 1) {
    const [at, next] = [fences[index] as number, fences[index + 1]];
    const [opening, closing] = [readFence(after[at]), next === undefined ? undefined : readFence(after[next])];
    const isFilled = after.slice(at + 1, next).some((line) => !isBlank(line));
    const isBlock =
      isFilled && closing?.info === "" && closing.mark === opening?.mark && closing.ticks === opening.ticks;
    if (next !== undefined && isPrefixedBlock(after.slice(at, next + 1))) index += 1;
    // A code block in another language; one of its fences may be in the file already.
    else if (isMarkdown && isBlock && opensCode(after[at] as string)) index += 1;
    else if (!proven.has(at)) throw unproven(after[at] as string);
  }
}

/** Whether lines are a code block inside of a comment, a docstring or a list: all of them begin with the same mark. */
function isPrefixedBlock(lines: readonly string[]): boolean {
  const prefix = prefixOfFence(lines[0] as string);
  const closing = (lines.at(-1) as string).slice(prefix.length).trim();
  const isDeep = prefix.length > 3 || prefix.trim() !== "";
  return (
    isDeep && /^(?:`{3,}|~{3,4})$/.test(closing) && lines.every((line) => line.startsWith(prefix) || isBlank(line))
  );
}

function unproven(line: string): Refused {
  return new Refused(
    "ambiguous",
    `The fence ${JSON.stringify(line.trim())} inside of a block could be a fence of the answer.`,
    "Put the edit between fences of four backticks, or name the language of a code block.",
  );
}

/** Whether a line begins a code block in a language of its own, in Markdown. */
function opensCode(line: string): boolean {
  const name = languageName(readFence(line)?.info ?? "");
  return name !== "markdown" && isKnownLanguage(name);
}

/** The lines of the new text in runs of unchanged lines that begin the text or are not fences alone. */
function unchangedLines(
  hunks: readonly Hunk[],
  after: readonly string[],
  isFence: (line: string) => boolean,
): Set<number> {
  const unchanged = new Set<number>();
  let from = 0;
  const addRun = (until: number) => {
    const isFirst = from === 0 && hunks[0]?.aStart !== 0;
    if (!isFirst && !after.slice(from, until).some((line) => !isBlank(line) && !isFence(line))) return;
    for (let at = from; at < until; at += 1) unchanged.add(at);
  };
  for (const { bStart, bEnd } of hunks) {
    addRun(bStart);
    from = bEnd;
  }
  addRun(after.length);
  return unchanged;
}
