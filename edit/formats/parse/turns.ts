import { Refused } from "../../refusal.ts";
import { findControlToken, TOKEN } from "../../tokens.ts";

const ASK_AGAIN = "Ask again for one complete answer.";

/** How a whole decoded output begins: an optional begin-of-text token, then a turn. Any other text is a completion. */
const DECODED = /^\s*[^\s`]{0,40}?<\|im_start\|>(?=(?:system|history|current|user)\n)/;

/**
 * The model's answer: a completion as it is, or the last turn of a whole decoded output.
 * @param order allowed roles of the output's turns, joined by spaces
 * @throws Refused `malformed` for turns in another order
 */
export function answerTurn(text: string, order: RegExp): string {
  return DECODED.test(text) ? lastTurn(text, order) : text;
}

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

/** @throws Refused `stray-token` for a control token that is not allowed */
export function refuseStrayTokens(text: string, allowed: readonly string[]): void {
  const forbidden = Object.values(TOKEN).filter((token) => !allowed.includes(token));
  const found = findControlToken(text, forbidden);
  if (found) throw new Refused("stray-token", `${found.token} is in the middle of the answer.`, ASK_AGAIN, found.line);
}
