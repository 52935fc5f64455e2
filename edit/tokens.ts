import { WorkbenchError } from "../robot/wire/errors.ts";

/** The strings that a tokenizer of this model family turns into single control tokens (spec 2.3 and the target area). */
export const TOKEN = {
  turnStart: "<|im_start|>",
  turnEnd: "<|im_end|>",
  editStart: "<|next_start|>",
  editEnd: "<|next_end|>",
  separator: "<|search_and_replace|>",
  target: "<|target|>",
  targetStart: "<|target_start|>",
  targetEnd: "<|target_end|>",
  endOfText: "<|endoftext|>",
} as const;

export const CONTROL_TOKENS: readonly string[] = Object.values(TOKEN);

/** The first control token in a text and its line, from 1; undefined when there is none. */
export function findControlToken(
  text: string,
  tokens: readonly string[] = CONTROL_TOKENS,
): { token: string; line: number } | undefined {
  let found: { token: string; at: number } | undefined;
  for (const token of tokens) {
    const at = text.indexOf(token);
    if (at >= 0 && (found === undefined || at < found.at)) found = { token, at };
  }
  return found && { token: found.token, line: text.slice(0, found.at).split("\n").length };
}

/**
 * Refuses text with a control token. Otherwise the author of the code or the instruction could end a turn or open an
 * edit.
 * @throws WorkbenchError `control-token`, naming the place (for example `history[1].code, line 3`)
 */
export function refuseControlTokens(text: string, place: string, tokens?: readonly string[]): void {
  const found = findControlToken(text, tokens);
  if (found === undefined) return;
  const detail =
    `${place}, line ${found.line}, holds ${found.token}, which the model would read as a control token. Write it in ` +
    `two pieces (for example "<|" + "${found.token.slice(2)}") or leave this text out.`;
  throw new WorkbenchError("control-token", detail);
}
