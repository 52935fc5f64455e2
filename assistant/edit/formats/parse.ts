import { type Refusal, Refused } from "../refusal.ts";
import { takeApart } from "./answer.ts";
import type { ParsedEdit } from "./edit.ts";
import { FENCE } from "./fence.ts";
import type { Format } from "./format.ts";
import { parseLc } from "./lc.ts";
import { parseSr } from "./sr.ts";
import { parseWf } from "./wf.ts";

export interface ParseOptions {
  format: Format;
  /** The text that the answer edits; tells fences that join two edits from fences in the code. */
  current?: string;
  /** The server has proven that generation stopped on `<|next_end|>` and cut that token off. Default false. */
  finished?: boolean;
}

/** An edit, word that nothing is to change, or a refusal; each with the explanation, "" when there is none. */
export type ParsedResponse =
  | { kind: "edit"; edit: ParsedEdit; explanation: string }
  | { kind: "no-change"; explanation: string }
  | { kind: "refused"; refusal: Refusal; explanation: string };

/** Longer answers are refused unread: no file of an app comes near, and a runaway server should cost nothing. */
const MAX_LENGTH = 16 * 1024 * 1024;

/**
 * Reads a model's answer: a completion, with or without `<|next_start|>`, or a whole decoded output.
 * Never throws for what a model says: what cannot be read is a refusal.
 */
export function parseResponse(text: string, options: ParseOptions): ParsedResponse {
  let explanation = "";
  try {
    if (text.length > MAX_LENGTH) {
      throw new Refused("too-long", `The answer has ${text.length} characters.`, `At most ${MAX_LENGTH} are read.`);
    }
    const answer = takeApart(text, options.format, options.finished ?? false);
    explanation = answer.explanation;
    if (answer.edit === "" && options.format !== "wf") return { kind: "no-change", explanation };
    return { kind: "edit", edit: parseEdit(editLines(answer.edit), options), explanation };
  } catch (error) {
    if (error instanceof Refused) return { kind: "refused", refusal: error.refusal, explanation };
    throw error;
  }
}

function parseEdit(lines: readonly string[], { format, current }: ParseOptions): ParsedEdit {
  if (format === "wf") return parseWf(lines);
  if (format === "sr") return parseSr(lines);
  return parseLc(lines, current === undefined || /(^|\n)```/.test(current));
}

/** The lines of an edit. When each of them ends in "\r\n", that is the transport's doing and not the code's. */
function editLines(edit: string): string[] {
  const lines = edit.split("\n");
  const carried = lines.length > 1 && lines.slice(0, -1).every((line) => line.endsWith("\r"));
  return carried && lines.at(-1) === FENCE ? lines.map((line) => line.replace(/\r$/, "")) : lines;
}
