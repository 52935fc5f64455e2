import { createTwoFilesPatch } from "diff";
import type { EditResult } from "../edit/apply/apply.ts";
import { refusalText } from "../edit/refusal.ts";

const COLOURS: Readonly<Record<string, number>> = { "+": 32, "-": 31, "@": 36 };

/** Control characters, and marks that turn the direction of writing: with both, text can look like what it is not. */
const TREACHEROUS = /\p{Cc}|[\u202a-\u202e\u2066-\u2069]/gu;

/** A model's words for a terminal: its control sequences are shown, not obeyed. */
function harmless(text: string): string {
  const shown = (unit: string) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`;
  return text.replace(/\r$/gm, "").replace(TREACHEROUS, (unit) => (/[\n\t]/.test(unit) ? unit : shown(unit)));
}

/** A unified diff, coloured for a person's terminal. */
export function showDiff(name: string, before: string, after: string, colour: boolean): string {
  const lines = harmless(diffOf(name, before, after)).split("\n");
  const paint = (line: string) => {
    const code = COLOURS[line[0] ?? ""];
    return colour && code !== undefined ? `\x1b[${code}m${line}\x1b[0m` : line;
  };
  return lines.map(paint).join("\n");
}

function diffOf(name: string, before: string, after: string): string {
  const patch = createTwoFilesPatch(`a/${name}`, `b/${name}`, before, after);
  return patch.slice(patch.indexOf("\n") + 1);
}

/** An outcome for a person: the diff, what was adapted, and the explanation. */
export function asText(name: string, before: string, outcome: EditResult, colour: boolean): string {
  const explanation = outcome.explanation === "" ? "" : `\n${harmless(outcome.explanation)}\n`;
  if (outcome.status === "refused") return `${harmless(refusalText(outcome.refusal))}\n${explanation}`;
  if (outcome.status === "no-change") return `The model sees nothing to change in ${name}.\n${explanation}`;
  const notes = outcome.notes.map((note) => `note: ${note}\n`).join("");
  return showDiff(name, before, outcome.result, colour) + notes + explanation;
}

/** The same for a program. */
export function asJson(file: string, before: string, outcome: EditResult): Record<string, unknown> {
  const { status, explanation } = outcome;
  if (outcome.status === "refused") {
    return { status, file, code: outcome.refusal.code, detail: refusalText(outcome.refusal), explanation };
  }
  if (outcome.status === "no-change") return { status, file, explanation };
  return { status, file, diff: diffOf(file, before, outcome.result), notes: outcome.notes, explanation };
}
