import type { ChatMessage } from "../sample.ts";
import { CONTROL_TOKENS, TOKEN } from "../tokens.ts";

/** An answer that was refused, and what the model is told of it. */
export interface RefusedAnswer {
  /** As the model wrote it; empty when the request has no room for it. */
  answer: string;
  refusal: string;
}

/** Tokens that an answer may have; the others would end its turn. */
const OF_AN_EDIT: readonly string[] = [TOKEN.editStart, TOKEN.editEnd, TOKEN.separator];
const ENDING = CONTROL_TOKENS.filter((token) => !OF_AN_EDIT.includes(token));

/** The turns of a request that goes on after a refused answer: that answer and the refusal, as a conversation. */
export function withRefusedAnswer(turns: readonly ChatMessage[], refused: RefusedAnswer | undefined): ChatMessage[] {
  if (refused === undefined) return [...turns];
  const answer = ENDING.reduce((text, token) => text.replaceAll(token, ""), refused.answer).trim();
  const said: ChatMessage[] = answer === "" ? [] : [{ role: "assistant", content: answer }];
  const last = turns.at(-1);
  if (said.length === 0 && last?.role === "user")
    return [...turns.slice(0, -1), { role: "user", content: `${last.content}\n\n${refused.refusal}` }];
  return [...turns, ...said, { role: "user", content: refused.refusal }];
}
