import type { Generated } from "./generate.ts";

/** How a server of one API formats a complete answer and a stream. */
export interface AnswerFormat {
  whole(model: string, generated: Generated): unknown;
  chunk(model: string, text: string): string;
  /** The last chunks, which mark a complete stream. */
  end(model: string, generated: Generated): string[];
}

const event = (value: unknown) => `data: ${typeof value === "string" ? value : JSON.stringify(value)}\n\n`;

/** The OpenAI interface: server-sent events, a comment as some servers ping, usage in a chunk without choices, `[DONE]`. */
export function openAi(object: "text_completion" | "chat.completion"): AnswerFormat {
  const chat = object === "chat.completion";
  const body = (model: string, choice: unknown, more: object = {}) => {
    return { id: "replay-1", object, model, choices: choice === undefined ? [] : [choice], ...more };
  };
  const usage = ({ pieces }: Generated) => ({ usage: { completion_tokens: pieces.length } });
  return {
    whole: (model, generated) => {
      const text = generated.pieces.join("");
      const content = chat ? { message: { role: "assistant", content: text } } : { text };
      const choice = { index: 0, ...content, finish_reason: generated.finish, stop_reason: generated.stop };
      return body(model, choice, usage(generated));
    },
    chunk: (model, text) => {
      const content = chat ? { delta: { content: text } } : { text };
      return event(body(model, { index: 0, ...content, finish_reason: null }));
    },
    end: (model, generated) => {
      const content = chat ? { delta: {} } : { text: "" };
      const last = { index: 0, ...content, finish_reason: generated.finish, stop_reason: generated.stop };
      return [": ping\n\n", event(body(model, last)), event(body(model, undefined, usage(generated))), event("[DONE]")];
    },
  };
}
