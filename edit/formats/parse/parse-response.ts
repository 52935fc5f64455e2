import { type Refusal, Refused } from "../../refusal.ts";
import { TOKEN } from "../../tokens.ts";
import type { ParsedEdit } from "../edit.ts";
import { hasFences, readFence } from "../fence.ts";
import type { Format } from "../format.ts";
import { languageName } from "../language-name.ts";
import { readAnswer } from "./answer-document.ts";
import { type Block, refuseMismatchedBlocks, splitBlocks } from "./blocks.ts";
import type { EndOfAnswer } from "./end-of-answer.ts";
import { lastEdit } from "./last-edit.ts";
import { refuseStrayTokens } from "./turns.ts";

export interface ParseOptions extends EndOfAnswer {
  format: Format;
  /** The text to edit; helps to distinguish fences between two edits from fences in the code. */
  current?: string;
}

/** An edit, no change, or a refusal, each with the explanation ("" when there is none). */
export type ParsedResponse =
  | { kind: "edit"; edit: ParsedEdit; explanation: string }
  | { kind: "no-change"; explanation: string }
  | { kind: "refused"; refusal: Refusal; explanation: string };

/**
 * Parses a model's answer: a completion, with or without `<|next_start|>`, or a whole decoded output.
 * Never throws for the content of an answer: one that cannot be parsed is a refusal.
 */
export function parseResponse(text: string, options: ParseOptions): ParsedResponse {
  let explanation = "";
  try {
    const answer = readAnswer(text, options);
    explanation = answer.explanation;
    const [first, ...more] = answer.edits;
    const parse = (each: string) => parseEdit(each, options);
    const edit = lastEdit([parse(first), ...more.map(parse)], answer.edits, answer.isInterrupted);
    if (edit === null) return { kind: "no-change", explanation };
    return { kind: "edit", edit, explanation };
  } catch (error) {
    if (error instanceof Refused) return { kind: "refused", refusal: error.refusal, explanation };
    throw error;
  }
}

/** The edit of a text between the tokens of an answer; null when it changes nothing. @throws Refused */
function parseEdit(text: string, options: ParseOptions): ParsedEdit | null {
  refuseStrayTokens(text, options.format === "sr" ? [TOKEN.separator] : []);
  if (text === "" && options.format !== "wf") return null;
  return editOfBlocks(splitBlocks(editLines(text), options.format), options);
}

/**
 * The edit of a file from the blocks of an answer.
 * @throws Refused as `refuseMismatchedBlocks`, `ambiguous` for fences that could be those of the answer
 */
export function editOfBlocks(blocks: readonly Block[], { format, current }: ParseOptions): ParsedEdit {
  refuseMismatchedBlocks(blocks, format);
  const { ticks = 3 } = blocks[0] ?? {};
  const lang = blocks.find((block) => block.lang !== "")?.lang ?? "";
  const canHaveFences = languageName(lang) === "markdown" || current === undefined || hasFences(current);
  for (const { parts, at } of blocks) {
    const inside = parts.flat().some((line) => (readFence(line)?.ticks ?? 0) >= ticks);
    if (inside && !canHaveFences)
      throw new Refused("ambiguous", "A block has fences inside, the file has none.", ASK, at);
  }
  if (format === "wf") return { format, lang, ticks, lines: blocks.flatMap(({ parts: [code = []] }) => code) };
  if (format === "sr") {
    return {
      format,
      lang,
      ticks,
      edits: blocks.map(({ parts: [search = [], code = []], at }) => ({ search, lines: code, at })),
    };
  }
  // Without names, the fences between two edits look like a code block with a range in it.
  if (canHaveFences && ticks === 3 && blocks.length > 1 && blocks.every((block) => block.lang === "")) {
    throw new Refused("ambiguous", "The fences between two edits could be code.", ASK, blocks[1]?.at);
  }
  const edits = blocks.map(({ range: [start, end], parts: [code = []], at }) => ({ start, end, lines: code, at }));
  return { format, lang, ticks, edits };
}

const ASK = "Ask again for edits between fences of four backticks, named after the language.";

/** The lines of an edit. When each of them ends in "\r\n", the transport added the "\r". */
export function editLines(edit: string): string[] {
  const lines = edit.split("\n");
  const addedByTransport = lines.length > 1 && lines.slice(0, -1).every((line) => line.endsWith("\r"));
  return addedByTransport ? lines.map((line) => line.replace(/\r$/, "")) : lines;
}
