import { Refused } from "../../refusal.ts";
import type { ParsedEdit } from "../edit.ts";
import { FENCE, hasReopenedBlock, openingLanguage } from "../fence.ts";

/**
 * Parses a whole-file answer: one fenced block. The last fence closes it, so the code may contain fences.
 * @throws Refused `malformed`, `ambiguous` when two blocks ran together
 */
export function parseWf(lines: readonly string[]): ParsedEdit {
  const lang = openingLanguage(lines[0]);
  if (lang === undefined || lines.length < 2 || lines.at(-1) !== FENCE) {
    throw new Refused(
      "malformed",
      "The edit is not one fenced block.",
      "Answer with the whole file in one fenced block.",
    );
  }
  const content = lines.slice(1, -1);
  if ((lang !== "" && hasReopenedBlock(content, lines[0])) || isDoubled(content, lines[0])) {
    throw new Refused(
      "ambiguous",
      "The edit reads as two files, one after the other.",
      "Answer with the whole file once.",
    );
  }
  return { format: "wf", lang, lines: content };
}

/** Whether a block's content is the same text twice with the fences of two blocks between. */
function isDoubled(content: readonly string[], opening: string | undefined): boolean {
  const half = (content.length - 2) / 2;
  const joined = half > 0 && content[half] === FENCE && content[half + 1] === opening;
  return joined && content.slice(0, half).join("\n") === content.slice(half + 2).join("\n");
}
