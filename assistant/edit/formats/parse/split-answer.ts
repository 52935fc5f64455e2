import { Refused } from "../../refusal.ts";
import { findControlToken, TOKEN } from "../../tokens.ts";
import type { Format } from "../format.ts";

/** The parts of an assistant turn: the edit between its tokens, and the explanation after it. */
export interface AnswerParts {
  edit: string;
  explanation: string;
}

const ASK_AGAIN = "Ask again for one complete answer.";

/** A whole decoded output: an optional begin-of-text token, then turns. Any other text is a completion. */
const DECODED = /^\s*[^\s`]{0,40}?<\|im_start\|>(?=(?:system|history|current|user)\n)/;

/** The order of turns in an assistant-conversation prompt (spec 3), the answer last. */
const EDIT_TURNS = /^(system )?(history )*current (user )?assistant$/;

/**
 * Splits an answer into edit and explanation. The answer is a completion that starts inside the edit, one that repeats
 * `<|next_start|>`, or a whole decoded output of prompt and answer.
 * @param finished true when the server reported that it stopped on `<|next_end|>` and removed the token
 * @throws Refused `truncated`, `stray-token`, `malformed`
 */
export function splitAnswer(text: string, format: Format, finished: boolean): AnswerParts {
  const turn = DECODED.test(text) ? lastTurn(text, EDIT_TURNS) : text;
  const inside = turn.replace(/^\s*\n/, "").replace(TOKEN.editStart, (token, at) => (at === 0 ? "" : token));
  const close = inside.indexOf(TOKEN.editEnd);
  if (close < 0 && !finished) {
    throw new Refused("truncated", `The answer has no ${TOKEN.editEnd}, so the edit may be incomplete.`, TRUNCATED);
  }
  const edit = close < 0 ? inside : inside.slice(0, close);
  const rest = close < 0 ? "" : inside.slice(close + TOKEN.editEnd.length);
  refuseStrayTokens(edit, format === "sr" ? [TOKEN.separator] : []);
  const end = rest.indexOf(TOKEN.turnEnd);
  refuseStrayTokens(rest, [TOKEN.turnEnd, TOKEN.endOfText]);
  return { edit: edit.trimEnd(), explanation: (end < 0 ? rest : rest.slice(0, end)).trim() };
}

const TRUNCATED =
  "Raise max_tokens, and check that the server keeps control tokens in its output (robot-app-assistant model probe).";

/**
 * The reply of a normal chat (spec 10.1), from a completion or from a whole decoded output.
 * @throws Refused `stray-token`, `malformed`
 */
export function chatReply(text: string): { reply: string; complete: boolean } {
  const turn = DECODED.test(text) ? lastTurn(text, /^(system )?((user|assistant) )+assistant$/) : text;
  const end = turn.indexOf(TOKEN.turnEnd);
  const reply = end < 0 ? turn : turn.slice(0, end);
  refuseStrayTokens(reply, []);
  return { reply: reply.trim(), complete: end >= 0 };
}

/** The text of the last turn. @param order allowed roles of the turns, joined by spaces */
function lastTurn(text: string, order: RegExp): string {
  const turns = text.slice(text.indexOf(TOKEN.turnStart)).split(TOKEN.turnStart).slice(1);
  const roles = turns.map((turn) => turn.slice(0, Math.max(0, turn.indexOf("\n"))));
  const closed = turns.slice(0, -1).every((turn) => turn.trimEnd().endsWith(TOKEN.turnEnd));
  if (!closed || !order.test(roles.join(" "))) {
    throw new Refused(
      "malformed",
      `The output's turns are ${roles.join(", ") || "none"}, which is not a prompt and its answer.`,
      ASK_AGAIN,
    );
  }
  const last = turns.at(-1) as string;
  return last.slice(last.indexOf("\n") + 1);
}

function refuseStrayTokens(text: string, allowed: readonly string[]): void {
  const forbidden = Object.values(TOKEN).filter((token) => !allowed.includes(token));
  const found = findControlToken(text, forbidden);
  if (found) throw new Refused("stray-token", `${found.token} is in the middle of the answer.`, ASK_AGAIN, found.line);
}
