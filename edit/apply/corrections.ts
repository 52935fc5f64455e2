import { readFence } from "../formats/fence.ts";
import { languageName } from "../formats/language-name.ts";
import { RANGE_LIKE } from "../formats/parse/blocks.ts";
import { twoEdits } from "../formats/parse/last-edit.ts";
import { diffLines } from "../text/difflib.ts";

/** Longer blocks, in lines, those with over half of the file, and those that begin as it does, are versions of it: their fences may be those of the code. */
const MAX_QUOTE = 12;
/** Names of a language of changes. */
const DIFF = /^(?:diff|patch)$/;

/**
 * Refuses an explanation with code that may correct the edit: a block in the file's language that is no quotation of the new text, and
 * that has most lines of it, or a line that begins as a changed one does.
 * @throws Refused `ambiguous`, with both
 */
export function refuseCorrection(explanation: string, before: string, after: string, lang: string): void {
  if (!/`{3}|~{3}/.test(explanation)) return;
  const [a, b] = [before, after].map((text) => text.split("\n").map((line) => line.trim()));
  const hunks = diffLines(a ?? [], b ?? []);
  const added = hunks.flatMap(({ bStart, bEnd }) => b?.slice(bStart, bEnd) ?? []);
  const removed = hunks.flatMap(({ aStart, aEnd }) => a?.slice(aStart, aEnd) ?? []);
  const heads = new Set([...added, ...removed].flatMap(headOf));
  const isChanged = (head: string) => [...heads].some((each) => each.startsWith(head) || head.startsWith(each));
  const filled = (b ?? []).filter((line) => line !== "").length;
  const text = `\n${b?.join("\n")}\n`;
  for (const block of blocksOf(explanation)) {
    const isDiff = DIFF.test(block.lang);
    const isOther = block.lang !== "" && lang !== "" && languageName(block.lang) !== languageName(lang);
    if (isOther && !isDiff) continue;
    if (RANGE_LIKE.test(block.above)) throw twoEdits(added.join("\n"), [block.above, ...block.lines].join("\n"));
    const said = (isDiff ? block.lines.flatMap((line) => /^\+(?!\+\+)(.*)/.exec(line)?.[1] ?? []) : block.lines).map(
      (line) => line.trim(),
    );
    const size = said.filter((line) => line !== "").length;
    const isShort = size > 0 && said.length <= MAX_QUOTE && 2 * size <= filled && said[0] !== b?.[0];
    const isWhole = said.join("\n").trim() === b?.join("\n").trim();
    const isQuoted = isDiff
      ? said.every((line) => b?.includes(line))
      : (isShort || isWhole) && text.includes(`\n${said.join("\n")}\n`);
    const known = said.filter((line) => b?.includes(line)).length;
    const isVersion = size === 0 || 2 * known > said.length || said.some((line) => headOf(line).some(isChanged));
    if (!isQuoted && isVersion) throw twoEdits(added.join("\n"), said.join("\n"));
  }
}

/** What a line assigns, defines, calls or begins with; none for a blank line, and one without a word. */
function headOf(line: string): string[] {
  const [head] =
    /^\W*(?:(?:export|async|const|let|var|def|class|function|from|import)\s+)*[\w.$]+/.exec(line.trim()) ?? [];
  return head === undefined ? [] : [head];
}

/** A fenced block of an explanation, and the line above it. */
interface QuotedBlock {
  above: string;
  lang: string;
  lines: string[];
}

/** The fenced blocks of a text; the last one may not be closed. */
function blocksOf(text: string): QuotedBlock[] {
  const blocks: QuotedBlock[] = [];
  let open: (QuotedBlock & { ticks: number }) | undefined;
  let above = "";
  for (const line of text.split("\n")) {
    const fence = readFence(line.trim());
    if (open !== undefined && fence !== undefined && fence.info === "" && fence.ticks >= open.ticks) open = undefined;
    else if (open !== undefined) open.lines.push(line);
    else if (fence !== undefined) {
      open = { above, lang: languageName(/^[\w+#.-]*/.exec(fence.info)?.[0] ?? ""), lines: [], ticks: fence.ticks };
      blocks.push(open);
    }
    if (line.trim() !== "") above = line;
  }
  return blocks;
}
