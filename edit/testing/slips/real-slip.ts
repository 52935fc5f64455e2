import type { Format } from "../../formats/format.ts";
import type { EndOfAnswer } from "../../formats/parse/end-of-answer.ts";
import { renderResponse } from "../../formats/render/render-response.ts";
import { diffLines } from "../../text/difflib.ts";
import type { Random } from "./random.ts";
import type { RealEdit } from "./real-edits.ts";

/** What a slip is made of. */
export interface SlipContext extends RealEdit {
  random: Random;
  format: Format;
  /** The answer that means the edit, with its tokens. */
  answer: string;
  /** The answer of a draft: another change of the same lines. */
  draft: string;
}

/** An answer with a slip. */
export interface SlippedAnswer extends EndOfAnswer {
  text: string;
  /** The file, where it is not that of the context. */
  before?: string;
  /** The text that it means, where it is not that after the edit. */
  means?: string;
}

/** Makes the slip; undefined where the edit gives no occasion for it. */
export type MakeSlip = (context: SlipContext) => SlippedAnswer | undefined;

/** Slips of a kind by their names. What is meant stays clear after a harmless one: it is applied. Others may be refused. */
export interface SlipKind {
  harmless: Readonly<Record<string, MakeSlip>>;
  harmful: Readonly<Record<string, MakeSlip>>;
}

/** The answer of an edit in a format, without an explanation or the token of the turn's end; undefined where it cannot be said. */
export function answerOf({ lang, before }: RealEdit, after: string, format: Format): string | undefined {
  try {
    return renderResponse(before, after, { format, lang }).replace(/<\|im_end\|>$/, "");
  } catch {
    return undefined;
  }
}

/** The text after another change of the lines that an edit changes. */
export function draftOf({ before, after }: RealEdit): string {
  const lines = after.split("\n");
  const [hunk] = diffLines(before.split("\n"), lines);
  const at = hunk?.bStart ?? 0;
  const line = hunk !== undefined && hunk.bEnd > hunk.bStart ? lines[at] : before.split("\n")[hunk?.aStart ?? 0];
  const other = /\w/.test(line ?? "") ? (line ?? "").replace(/(\w)(\W*)$/, "$1_0$2") : `${line}draft`;
  lines.splice(at, hunk !== undefined && hunk.bEnd > hunk.bStart ? 1 : 0, other);
  return lines.join("\n");
}
