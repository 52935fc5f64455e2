import { Refused } from "../../refusal.ts";

/** How an answer ended, as its server says. */
export interface EndOfAnswer {
  /** The server reported that generation stopped on `<|next_end|>` and removed that token. Default false. */
  finished?: boolean;
  /** The server's `finish_reason`. Default: unknown. */
  reason?: string;
}

/** The reasons of servers by which the model ended its answer itself. */
const BY_MODEL = /^(?:stop|eos|eos_token|end|end_turn|stop_sequence|completed?|tool_calls|function_call|tool_use)$/i;
const AT_LIMIT = /length|max_?(?:output_|new_)?tokens/i;

export const TRUNCATED =
  "Raise max_tokens, and check that the server keeps control tokens in its output (docs/serving.md).";

/** @throws Refused `truncated` for an answer that the server cut off, with its reason */
export function refuseCut({ reason }: EndOfAnswer): void {
  if (reason === undefined || BY_MODEL.test(reason)) return;
  const cut = AT_LIMIT.test(reason)
    ? "The server cut the answer off at the limit of its tokens"
    : "The server cut the answer off";
  const hint = AT_LIMIT.test(reason) ? "Raise max_tokens, or ask for a smaller change." : "Ask again.";
  throw new Refused("truncated", `${cut} (finish_reason ${JSON.stringify(reason)}).`, hint);
}
