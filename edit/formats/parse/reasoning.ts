import { Refused } from "../../refusal.ts";
import { TRUNCATED } from "./end-of-answer.ts";

/** Names of the tags in which models reason. */
const NAMES =
  "(?:\\w+:)?(?:think(?:ing)?|thoughts?|reason(?:ing)?|reflect(?:ion)?|analysis|scratch_?pad|inner_monologue|deliberation|brainstorm(?:ing)?|plan(?:ning)?|draft|cot|chain_of_thought)";
/** The ends of reasoning: `</think>`, `[/THINK]`, `◁/think▷`, `<|end_of_thought|>`, and the channel of the answer. */
const CLOSING = new RegExp(
  `</${NAMES}>|\\[/${NAMES}\\]|◁/${NAMES}▷|<\\|(?:/|end_of_)${NAMES}\\|>|<\\|channel\\|>final(?: [^<\\n]*)?<\\|message\\|>`,
  "gi",
);
const OPENING = new RegExp(
  `(?:^|\\n)[ \\t]*(?:<${NAMES}(?:[ \\t][^<>\\n]*)?>|\\[${NAMES}\\]|◁${NAMES}▷|<\\|(?:begin_of_)?${NAMES}\\|>|(?:<\\|start\\|>assistant)?<\\|channel\\|>(?:analysis|commentary)[^<\\n]*<\\|message\\|>)`,
  "i",
);

/** Quoted, a tag is mentioned. */
const QUOTE = /[`"'\u2018-\u201f]/;

/** Where reasoning ends last in a text that is not code; 0 when it has none. */
export function endOfReasoning(text: string): number {
  let end = 0;
  for (const { index, 0: tag } of text.matchAll(CLOSING)) {
    const after = index + tag.length;
    if (!QUOTE.test(text[index - 1] ?? "") && !QUOTE.test(text[after] ?? "")) end = after;
  }
  return end;
}

/** @throws Refused `truncated` for a text that is not code and begins reasoning which it does not end */
export function refuseOpenReasoning(text: string): void {
  if (!OPENING.test(text)) return;
  throw new Refused("truncated", "The answer ends before the model ends its reasoning.", TRUNCATED);
}

/**
 * The length of the reasoning that a completion begins with, before the first fence unless it is opened: such an answer has no token
 * where its edit begins.
 */
export function leadingReasoning(completion: string): number {
  const opened = new RegExp(`^\\s*${OPENING.source}`, "i").test(`\n${completion}`);
  const fence = completion.indexOf("```");
  const until = opened || fence < 0 ? completion : completion.slice(0, fence);
  const [closing] = until.matchAll(CLOSING);
  return closing === undefined ? 0 : closing.index + closing[0].length;
}
