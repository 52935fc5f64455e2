import type { Format } from "../../formats/format.ts";
import { TOKEN } from "../../tokens.ts";
import type { Block } from "../trials/expected-text.ts";

/** One line of an answer and what it is, so that a slip can be put where models make it. */
export interface AnswerLine {
  kind: "range" | "open" | "search" | "separator" | "content" | "close" | "gap";
  text: string;
}

/** The lines of a correct answer. Ranges are inclusive. */
export function answerLines(
  format: Format,
  lang: string,
  file: readonly string[],
  blocks: readonly Block[],
): AnswerLine[] {
  const line = (kind: AnswerLine["kind"]) => (text: string) => ({ kind, text });
  return blocks.flatMap(({ start, end, lines }) => [
    ...(format === "lc" ? [line("range")(`${start + 1},${end}`)] : []),
    line("open")(`\`\`\`${lang}`),
    ...(format === "sr" ? [...file.slice(start, end).map(line("search")), line("separator")(TOKEN.separator)] : []),
    ...lines.map(line("content")),
    line("close")("```"),
  ]);
}

/** The text of an answer's lines. */
export const textOf = (lines: readonly AnswerLine[]) => lines.map(({ text }) => text).join("\n");
