import { Refused } from "../refusal.ts";
import { findControlToken, TOKEN } from "../tokens.ts";
import type { Format } from "./format.ts";

/** The parts of an assistant turn: the edit between its tokens, and the text after it. */
export interface Answer {
  edit: string;
  explanation: string;
}

const AGAIN = "Ask again for one complete answer.";

/** A whole decoded output: an optional begin-of-text token, then turns. Anything else is a completion alone. */
const DECODED = /^\s*[^\s`]{0,40}?<\|im_start\|>(?=(?:system|history|current|user)\n)/;

/** The turns of an assistant-conversation prompt (spec 3), the answer last. */
const EDIT_TURNS = /^(system )?(history )*current (user )?assistant$/;

/**
 * Takes an answer apart: a completion that starts inside the edit, one that repeats `<|next_start|>`, or a whole
 * decoded output of prompt and answer.
 * @param finished true when the server has proven that it stopped on `<|next_end|>` and cut the token off
 * @throws Refused `truncated`, `stray-token`, `malformed`
 */
export function takeApart(text: string, format: Format, finished: boolean): Answer {
  const turn = DECODED.test(text) ? lastTurn(text, EDIT_TURNS) : text;
  const inside = turn.replace(/^\s*\n/, "").replace(TOKEN.editStart, (token, at) => (at === 0 ? "" : token));
  const close = inside.indexOf(TOKEN.editEnd);
  if (close < 0 && !finished) {
    throw new Refused(
      "truncated",
      `The answer holds no ${TOKEN.editEnd}, so nothing proves the edit complete.`,
      TRUNCATED,
    );
  }
  const edit = close < 0 ? inside : inside.slice(0, close);
  const rest = close < 0 ? "" : inside.slice(close + TOKEN.editEnd.length);
  refuseStray(edit, format === "sr" ? [TOKEN.separator] : []);
  const end = rest.indexOf(TOKEN.turnEnd);
  refuseStray(rest, [TOKEN.turnEnd, TOKEN.endOfText]);
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
  refuseStray(reply, []);
  return { reply: reply.trim(), complete: end >= 0 };
}

/** The text of the last turn; `order` says which turns may come before it. */
function lastTurn(text: string, order: RegExp): string {
  const turns = text.slice(text.indexOf(TOKEN.turnStart)).split(TOKEN.turnStart).slice(1);
  const roles = turns.map((turn) => turn.slice(0, Math.max(0, turn.indexOf("\n"))));
  const closed = turns.slice(0, -1).every((turn) => turn.trimEnd().endsWith(TOKEN.turnEnd));
  if (!closed || !order.test(roles.join(" "))) {
    throw new Refused(
      "malformed",
      `The output's turns are ${roles.join(", ") || "none"}, which is no prompt and answer.`,
      AGAIN,
    );
  }
  const last = turns.at(-1) as string;
  return last.slice(last.indexOf("\n") + 1);
}

function refuseStray(text: string, allowed: readonly string[]): void {
  const stray = Object.values(TOKEN).filter((token) => !allowed.includes(token));
  const found = findControlToken(text, stray);
  if (found) throw new Refused("stray-token", `${found.token} stands in the middle of the answer.`, AGAIN, found.line);
}
