import { WorkbenchError } from "../../robot/wire/errors.ts";
import type { ParsedEdit } from "../formats/edit.ts";

/** A way to write control tokens in prompts so that they are text, and back. */
export interface TokenEscape {
  /** Explains the way to a model; "" when there is nothing to escape. */
  note: string;
  /** Escapes the tokens of these texts; others, as those of the format in a refusal, stay, since they could not be restored. */
  escape(text: string): string;
  /** The text of an answer with the tokens that it means. */
  restore(text: string): string;
}

/** Control tokens as tokenizers of many families declare them; two of them cannot overlap. */
export const TOKEN_LIKE = /<\|([\w-]+)\|>/g;
/** Characters in the place of the bars. */
const MARKS = [":", "!", "%", "=", "+", "#", "&", "^", "@", "$"] as const;

/**
 * The escape of the control tokens in the texts of one request. `<|im_end|>` becomes `<:im_end:>`, of the same length, with the
 * first mark by which no text has one of these names. So a marked name in an answer has one meaning: the token.
 * @throws WorkbenchError `control-token` when the texts have names with every mark
 */
export function escapeTokens(texts: readonly string[]): TokenEscape {
  const names = [...new Set(texts.flatMap((text) => [...text.matchAll(TOKEN_LIKE)].map(([, name = ""]) => name)))];
  if (names.length === 0) return { note: "", escape: (text) => text, restore: (text) => text };
  const isFree = (mark: string) => !names.some((name) => texts.some((text) => text.includes(marked(name, mark))));
  const mark = MARKS.find(isFree);
  if (mark === undefined) {
    const detail = `The texts hold ${names.slice(0, 3).map((name) => `<|${name}|>`)}, which a model could read as a control token, and ${marked(names[0] ?? "", ":")} and the like with every other mark, too.`;
    throw new WorkbenchError("control-token", `${detail} Leave one of these texts out.`);
  }
  // Of two names, neither can begin inside of the other: "<" and the mark are in none.
  const pattern = new RegExp(`<\\${mark}(${names.join("|")})\\${mark}>`, "g");
  const shown = names.slice(0, 10).map((name) => marked(name, mark));
  return {
    note: `In these texts, ${shown.join(", ")} stand for special tokens of these names. Write them in the same way.`,
    escape: (text) =>
      text.replace(TOKEN_LIKE, (token, name: string) => (names.includes(name) ? marked(name, mark) : token)),
    restore: (text) => text.replace(pattern, "<|$1|>"),
  };
}

const marked = (name: string, mark: string): string => `<${mark}${name}${mark}>`;

/** A parsed edit with the tokens that it means. */
export function restoreEdit(edit: ParsedEdit, restore: TokenEscape["restore"]): ParsedEdit {
  const all = (lines: readonly string[]) => lines.map(restore);
  if (edit.format === "wf") return { ...edit, lines: all(edit.lines) };
  if (edit.format === "lc") return { ...edit, edits: edit.edits.map((each) => ({ ...each, lines: all(each.lines) })) };
  const edits = edit.edits.map((each) => ({ ...each, search: all(each.search), lines: all(each.lines) }));
  return { ...edit, edits };
}
