import type { ChatMessage } from "../sample.ts";

/** A request to a model, in two forms: `messages` for chat APIs, `prompt` with the same turns rendered as text. */
export interface CompletionRequest {
  messages: readonly ChatMessage[];
  prompt: string;
  /** Whether the model continues after the edit to explain it. */
  explain: boolean;
  /** Maximum number of tokens of the answer. */
  maxTokens: number;
  /** A normal chat: the server uses the model's own template, and leaves control tokens out of the answer. */
  plain?: true;
}

export interface Completion {
  /** The answer, control tokens included. */
  text: string;
  /** True when the server reported that it stopped on `<|next_end|>` and removed that token. */
  finished: boolean;
  /** Why the server says that the answer ended, its `finish_reason`. */
  reason?: string;
}

export interface CompleteOptions {
  signal?: AbortSignal;
  /** Called with each piece of text as it comes in. */
  onText?: (text: string) => void;
}

/** Anything that completes prompts: a server, or a model in this process. */
export interface ModelClient {
  /** The model's name. */
  model: string;
  /** @throws WorkbenchError `model-unreachable`, `model-failed`, `model-missing`, `deadline-passed` */
  complete(request: CompletionRequest, options?: CompleteOptions): Promise<Completion>;
}
