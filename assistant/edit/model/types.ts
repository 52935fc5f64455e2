import type { ChatMessage } from "../sample.ts";

/** What to ask of a model: the turns, and the same as rendered text for the ways that take text. */
export interface CompletionRequest {
  messages: readonly ChatMessage[];
  prompt: string;
  /** Let the model go on after the edit to explain it. */
  explain: boolean;
  /** Tokens at most; servers' own default is as low as 16. */
  maxTokens: number;
}

export interface Completion {
  /** What the model said, control tokens included. */
  text: string;
  /** True when the server has proven that it stopped on `<|next_end|>` and cut that token off. */
  finished: boolean;
}

export interface CompleteOptions {
  signal?: AbortSignal;
  /** Called with each piece of text as it comes in. */
  onText?: (text: string) => void;
}

/** Anything that completes prompts: a server, or a model in this process. */
export interface ModelClient {
  /** The model's name; its suffix tells the format. */
  model: string;
  /** @throws WorkbenchError `model-unreachable`, `model-failed`, `model-missing`, `deadline-passed` */
  complete(request: CompletionRequest, options?: CompleteOptions): Promise<Completion>;
}
