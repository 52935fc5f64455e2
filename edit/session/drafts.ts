import { LatestSender } from "../../common/latest-sender.ts";
import type { EditResult } from "../apply/apply.ts";
import type { SyntaxPolicy } from "../apply/syntax.ts";
import type { Completion, ModelClient } from "../model/types.ts";

/** The end of a line that may close a block. */
const FENCE = /^[ \t]*`{3,}[ \t]*$/gm;

/**
 * A client that judges each beginning of an answer that ends with a block, as if it were the whole, while the answer
 * arrives. What cannot be applied so far is left out.
 * @param onDraft gets each new text
 */
export function withDrafts(
  client: ModelClient,
  judge: (answer: Completion, syntax: SyntaxPolicy) => Promise<EditResult>,
  onDraft: (text: string) => void,
): ModelClient {
  return {
    ...client,
    async complete(request, options = {}) {
      let text = "";
      let judged = 0;
      let last = "";
      let isArriving = true;
      const drafts = new LatestSender(async (beginning: string) => {
        const outcome = await judge({ text: beginning, finished: true }, "warn");
        if (!isArriving || outcome.status !== "applied" || outcome.result === last) return;
        last = outcome.result;
        onDraft(last);
      });
      const onText = (piece: string): void => {
        options.onText?.(piece);
        text += piece;
        const end = [...text.matchAll(FENCE)].map(({ index, 0: fence }) => index + fence.length).at(-1) ?? 0;
        if (end <= judged) return;
        judged = end;
        // What cannot be read yet is refused, or throws as the whole answer would: that is reported at the end.
        void drafts.send(text.slice(0, end)).catch(() => undefined);
      };
      try {
        return await client.complete(request, { ...options, onText });
      } finally {
        isArriving = false;
      }
    },
  };
}
