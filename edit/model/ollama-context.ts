import { z } from "zod";
import { WorkbenchError } from "../../robot/wire/errors.ts";
import { type ModelServerOptions, send } from "./http.ts";
import type { CompletionRequest } from "./types.ts";

/** Smallest context that is asked for, in tokens: Ollama loads a model anew when the number changes. */
const MIN_CONTEXT = 8192;
/** Code has about three bytes a token; two never underestimates a prompt. */
const BYTES_PER_TOKEN = 2;

/** Time for the server to describe its model, in milliseconds. */
const SHOW_MS = 5000;

/** `<architecture>.context_length` is how many tokens a model was trained for. */
const ModelInfo = z.object({ model_info: z.record(z.string(), z.unknown()) });

/**
 * The context for a request to Ollama, in tokens. Without one Ollama uses its own default, of a few thousand tokens, and
 * cuts the beginning off a longer prompt without a word.
 * @throws WorkbenchError `model-failed` when prompt and answer exceed the model's context
 */
export async function ollamaContext(
  server: ModelServerOptions,
  model: string,
  { prompt, maxTokens }: CompletionRequest,
  signal: AbortSignal,
): Promise<number> {
  const needed = Math.ceil(Buffer.byteLength(prompt) / BYTES_PER_TOKEN) + maxTokens;
  const limit = await contextLimit(server, model, signal);
  if (needed > limit) {
    const detail = `Prompt and answer need about ${needed} tokens, more than the context size of ${model} (${limit}).`;
    throw new WorkbenchError("model-failed", detail);
  }
  const rounded = 2 ** Math.ceil(Math.log2(Math.max(needed, MIN_CONTEXT)));
  return Math.min(rounded, limit);
}

/** The tokens that a model was trained for; without a limit when the server does not say. */
async function contextLimit(server: ModelServerOptions, model: string, signal: AbortSignal): Promise<number> {
  try {
    const limited = AbortSignal.any([signal, AbortSignal.timeout(SHOW_MS)]);
    const response = await send({ ...server, retries: 0 }, "/api/show", { model }, limited);
    const { model_info: info } = ModelInfo.parse(await response.json());
    const length = Object.entries(info).find(([name]) => name.endsWith(".context_length"))?.[1];
    return typeof length === "number" && length > 0 ? length : Number.POSITIVE_INFINITY;
  } catch {
    signal.throwIfAborted();
    return Number.POSITIVE_INFINITY;
  }
}
