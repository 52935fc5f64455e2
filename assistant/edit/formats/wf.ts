import { Refused } from "../refusal.ts";
import type { ParsedEdit } from "./edit.ts";
import { FENCE, fenced, openingLanguage } from "./fence.ts";

/**
 * A whole-file answer: one fenced block. The last fence closes it, so the code may hold fences of its own.
 * @throws Refused `malformed`, `ambiguous` when the block is given twice
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
  const half = (content.length - 2) / 2;
  const doubled = half > 0 && content[half] === FENCE && content[half + 1] === lines[0];
  if (doubled && content.slice(0, half).join("\n") === content.slice(half + 2).join("\n")) {
    throw new Refused("ambiguous", "The file is given twice.", "Answer with the whole file once.", half + 2);
  }
  return { format: "wf", lang, lines: content };
}

/** The inverse of `parseWf`. */
export function renderWf(after: string, lang: string): string {
  return fenced(lang, after);
}
