import { applyEdit, type EditResult } from "../apply/apply.ts";
import type { Convention, Format } from "../formats/format.ts";
import type { ModelClient } from "../model/types.ts";
import { prepareInput } from "../prompt/messages.ts";
import { renderPrompt } from "../prompt/render-prompt.ts";
import { type Refusal, refusalText } from "../refusal.ts";
import type { Sample } from "../sample.ts";

export interface EditRequest {
  client: ModelClient;
  sample: Sample;
  /** The text to apply the answer to, line ends and all; `sample.current.code` is how the model sees it. */
  original: string;
  format: Format;
  convention: Convention;
  explain: boolean;
  maxTokens: number;
  /** How often a refusal goes back to the model. */
  retries: number;
  signal?: AbortSignal;
  onText?: (text: string) => void;
  onRefused?: (refusal: Refusal, attempt: number) => void;
}

/** Asks the model for an edit and applies it to the text; a refused answer goes back to it as often as allowed. */
export async function requestEdit(request: EditRequest): Promise<{ outcome: EditResult; attempts: number }> {
  const { client, sample, original, format, convention, explain, maxTokens, signal, onText } = request;
  let user = sample.user;
  for (let attempts = 1; ; attempts += 1) {
    const asked = { ...sample, user };
    const messages = prepareInput(asked, format);
    const prompt = renderPrompt(asked, { format });
    const { text, finished } = await client.complete(
      { messages, prompt, explain, maxTokens },
      { ...(signal ? { signal } : {}), ...(onText ? { onText } : {}) },
    );
    const outcome = await applyEdit(original, text, { format, convention, lang: sample.current.lang, finished });
    if (outcome.status !== "refused" || attempts > request.retries) return { outcome, attempts };
    request.onRefused?.(outcome.refusal, attempts);
    user = `${sample.user}\n\n${complaint(outcome.refusal)}`.trimStart();
  }
}

/** A refusal for the model to read. Names of control tokens lose their marks: they must not become tokens. */
function complaint(refusal: Refusal): string {
  return `Your last answer was not applied. ${refusalText(refusal)}`.replace(/<\|(\w+)\|>/g, "$1");
}
