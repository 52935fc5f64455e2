import { Refused } from "../../refusal.ts";
import { TOKEN } from "../../tokens.ts";
import type { Format } from "../format.ts";
import { answerTurn, refuseStrayTokens } from "./turns.ts";

/** The parts of an assistant turn: the edit between its tokens, and the explanation after it. */
interface AnswerParts {
  edit: string;
  explanation: string;
}

/** Longer answers, in characters, are refused unread: a server that never stops must not cost time. */
const MAX_LENGTH = 16 * 1024 * 1024;

/** The order of turns in an assistant-conversation prompt (spec 3), the answer last. */
const EDIT_TURNS = /^(system )?(history )*current (user )?assistant$/;

/**
 * Splits an answer into edit and explanation. The answer is a completion that starts inside the edit, one that repeats
 * `<|next_start|>`, or a whole decoded output of prompt and answer.
 * @param finished true when the server reported that it stopped on `<|next_end|>` and removed the token
 * @throws Refused `too-long`, `truncated`, `stray-token`, `malformed`
 */
export function splitAnswer(text: string, format: Format, finished: boolean): AnswerParts {
  if (text.length > MAX_LENGTH)
    throw new Refused("too-long", `The answer has ${text.length} characters.`, `At most ${MAX_LENGTH} are read.`);
  const turn = withoutReasoning(answerTurn(text, EDIT_TURNS));
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

/** Reasoning before the edit: `<think>...</think>`, or without `<think>` when the prompt ended in it. */
const REASONING = /^\s*(?:<think>[\s\S]*?|(?:(?!```)[\s\S])*?)<\/think>\s*/;

function withoutReasoning(turn: string): string {
  const rest = turn.includes("</think>") ? turn.replace(REASONING, "") : turn;
  if (!/^\s*<think>/.test(rest)) return rest;
  throw new Refused("truncated", "The answer ends before the model ends its reasoning.", TRUNCATED);
}

const TRUNCATED = "Raise max_tokens, and check that the server keeps control tokens in its output (docs/serving.md).";
