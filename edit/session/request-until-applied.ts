import type { EditResult } from "../apply/apply.ts";
import { ResponseStream, type StreamPiece } from "../formats/parse/stream.ts";
import { ServerError } from "../model/server-error.ts";
import type { Completion, CompletionRequest, ModelClient } from "../model/types.ts";
import { TOKEN_LIKE, type TokenEscape } from "../prompt/escape-tokens.ts";
import type { RefusedAnswer } from "../prompt/refused-answer.ts";
import { type MultiFileResult, refusalReason } from "./edit-files.ts";

/** What requests for edits of one and of several files have in common. */
export interface RequestOptions {
  client: ModelClient;
  explain: boolean;
  maxTokens: number;
  /** How often a refused answer is sent back to the model. */
  retries: number;
  signal?: AbortSignal;
  onPiece?: (piece: StreamPiece) => void;
  /** Called before a refused answer is sent back. @param reason why it was refused */
  onRefused?: (reason: string) => void;
  /** Called before a request is repeated because it exceeded the model's context. @param change "without ..." */
  onContextOverflow?: (change: string) => void;
}

export interface EditRequestResult<Outcome> {
  outcome: Outcome;
  /** Number of answers of the model. */
  attempts: number;
  /** Number of older versions left out because the model's context is too small. */
  omittedVersions: number;
}

/** An answer's token limit is not lowered below this. */
const MIN_TOKENS = 256;

/** What a model is asked, without the limits of its answer. */
export type ModelInput = Pick<CompletionRequest, "messages" | "prompt" | "plain">;

/** What to ask, and how answers are judged. */
interface Exchange<Outcome> {
  /** Number of older versions in the prompt, which may be left out. */
  versions: number;
  tokens: TokenEscape;
  modelInput(omittedVersions: number, refused: RefusedAnswer | undefined): ModelInput;
  judge(answer: Completion): Promise<Outcome>;
}

/**
 * Asks until an answer is applied or may not be sent back any more. When the prompt exceeds the model's context, the refused
 * answer is left out, then the oldest versions, then the answer's token limit is lowered.
 * @throws WorkbenchError those of `ModelClient.complete`; the signal's reason
 */
export async function requestUntilApplied<Outcome extends EditResult | MultiFileResult>(
  request: RequestOptions,
  exchange: Exchange<Outcome>,
): Promise<EditRequestResult<Outcome>> {
  let { maxTokens } = request;
  let omittedVersions = 0;
  let refused: RefusedAnswer | undefined;
  let attempts = 1;
  for (;;) {
    const versions = exchange.versions - omittedVersions;
    const canShorten = Boolean(refused?.answer) || versions > 0 || maxTokens >= 2 * MIN_TOKENS;
    const answer = await complete(request, exchange.modelInput(omittedVersions, refused), maxTokens, canShorten);
    if (answer === "context-overflow" && refused?.answer) {
      request.onContextOverflow?.("without its last answer");
      refused = { ...refused, answer: "" };
    } else if (answer === "context-overflow" && versions > 0) {
      request.onContextOverflow?.(`without the oldest of ${versions} older version(s)`);
      omittedVersions += 1;
    } else if (answer === "context-overflow") {
      maxTokens = Math.floor(maxTokens / 2);
      request.onContextOverflow?.(`for an answer of at most ${maxTokens} tokens`);
    } else {
      const outcome = await exchange.judge(answer);
      if (outcome.status !== "refused" || attempts > request.retries) {
        return { outcome, attempts, omittedVersions };
      }
      const reason = refusalReason(outcome);
      request.onRefused?.(reason);
      refused = { answer: answer.text, refusal: refusalForModel(exchange.tokens.escape(reason)) };
      attempts += 1;
    }
  }
}

/** One answer of the model, or that the prompt exceeds its context and can be made shorter. */
async function complete(
  { client, explain, signal, onPiece }: RequestOptions,
  modelInput: ModelInput,
  maxTokens: number,
  canShorten: boolean,
): Promise<Completion | "context-overflow"> {
  const stream = new ResponseStream({ format: "sr" });
  const onText = (text: string) => {
    for (const piece of stream.push(text)) onPiece?.(piece);
  };
  try {
    return await client.complete({ ...modelInput, explain, maxTokens }, { onText, ...(signal ? { signal } : {}) });
  } catch (error) {
    if (canShorten && error instanceof ServerError && error.isContextOverflow) return "context-overflow";
    throw error;
  }
}

/** A refusal as text for the model. Control tokens that are not escaped lose their marks so that they do not become tokens. */
function refusalForModel(refusal: string): string {
  return `Your last answer was not applied. ${refusal}`.replace(TOKEN_LIKE, "$1");
}
