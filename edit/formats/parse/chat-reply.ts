import { TOKEN } from "../../tokens.ts";
import { answerTurn, refuseStrayTokens } from "./turns.ts";

/** The order of turns in a normal chat, the reply last. */
const CHAT_TURNS = /^(system )?((user|assistant) )+assistant$/;

/**
 * The reply of a normal chat (spec 10.1), from a completion or from a whole decoded output.
 * @throws Refused `stray-token`, `malformed`
 */
export function chatReply(text: string): { reply: string; complete: boolean } {
  const turn = answerTurn(text, CHAT_TURNS);
  const end = turn.indexOf(TOKEN.turnEnd);
  const reply = end < 0 ? turn : turn.slice(0, end);
  refuseStrayTokens(reply, []);
  return { reply: reply.trim(), complete: end >= 0 };
}
