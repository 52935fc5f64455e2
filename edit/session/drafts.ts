import { LatestSender } from "../../common/latest-sender.ts";
import type { EditResult } from "../apply/apply.ts";
import type { SyntaxPolicy } from "../apply/syntax.ts";
import type { Completion, ModelClient } from "../model/types.ts";

/** A line that may close a block. */
const FENCE = /^[ \t]*`{3,}[ \t]*$/;
/** An answer is judged again when it is longer by this factor: each time costs as much as the whole. */
const GROWTH = 1.2;

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
      const lines: string[] = [];
      let line = "";
      let length = 0;
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
        const parts = (line + piece).split("\n");
        line = parts.pop() ?? "";
        let end = 0;
        for (const part of parts) {
          lines.push(part);
          length += part.length + 1;
          if (FENCE.test(part)) end = lines.length;
        }
        const isOpen = line !== "" && FENCE.test(line);
        if ((end === 0 && !isOpen) || length + line.length <= GROWTH * judged) return;
        judged = length + line.length;
        const text = isOpen ? [...lines, line].join("\n") : lines.slice(0, end).join("\n");
        // What cannot be read yet is refused, or throws as the whole answer would: that is reported at the end.
        void drafts.send(text).catch(() => undefined);
      };
      try {
        return await client.complete(request, { ...options, onText });
      } finally {
        isArriving = false;
      }
    },
  };
}
