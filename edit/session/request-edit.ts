import { WorkbenchError } from "../../robot/wire/errors.ts";
import { applyEdit, type EditResult } from "../apply/apply.ts";
import type { SyntaxPolicy } from "../apply/syntax.ts";
import type { Convention, Format } from "../formats/format.ts";
import { ResponseStream, type StreamPiece } from "../formats/parse/stream.ts";
import { isContextOverflow } from "../model/error-messages.ts";
import type { Completion, ModelClient } from "../model/types.ts";
import { fromEditStart, instructMessages } from "../prompt/instruct.ts";
import { prepareInput } from "../prompt/messages.ts";
import { renderPrompt } from "../prompt/render-prompt.ts";
import { type Refusal, refusalText } from "../refusal.ts";
import type { Sample } from "../sample.ts";

export interface EditRequest {
  client: ModelClient;
  sample: Sample;
  /** The text to apply the answer to, with its line ends; `sample.current.code` is the text that the model sees. */
  original: string;
  format: Format;
  convention: Convention;
  syntax?: SyntaxPolicy;
  /** The model is asked in a chat with the format as instructions, because it was not trained for it. Not for `lc`. */
  instruct?: boolean;
  explain: boolean;
  maxTokens: number;
  /** How often a refused answer is sent back to the model. */
  retries: number;
  signal?: AbortSignal;
  /** Called with the pieces of each answer while it arrives. */
  onPiece?: (piece: StreamPiece) => void;
  onRefused?: (refusal: Refusal, attempt: number) => void;
  /** Called before a request is repeated because it exceeded the model's context. @param change "without ..." */
  onContextOverflow?: (change: string) => void;
}

interface RequestedEdit {
  outcome: EditResult;
  /** Number of answers of the model. */
  attempts: number;
  /** Number of older versions left out because the model's context is too small. */
  omittedVersions: number;
}

/** An answer's token limit is not lowered below this. */
const MIN_TOKENS = 256;

/**
 * Asks the model for an edit and applies it to the text. A refused answer is sent back at most `retries` times. When the
 * prompt exceeds the model's context, the oldest versions are left out, then the answer's token limit is lowered.
 * @throws WorkbenchError why the model gave no answer: `model-unreachable`, `model-failed`, `model-missing`,
 *   `deadline-passed`; the signal's reason
 */
export async function requestEdit(request: EditRequest): Promise<RequestedEdit> {
  const { sample, original, format, convention, onPiece } = request;
  let { history } = sample;
  let feedback: string | undefined;
  let { maxTokens } = request;
  let attempts = 1;
  for (;;) {
    const stream = new ResponseStream({ format, current: original });
    const onText = (text: string) => {
      for (const piece of stream.push(text)) onPiece?.(piece);
    };
    const answer = await complete(request, { ...sample, history }, maxTokens, feedback, onText);
    if (answer === "context-overflow" && history.length > 0) {
      request.onContextOverflow?.(`without the oldest of ${history.length} older version(s)`);
      history = history.slice(1);
    } else if (answer === "context-overflow") {
      maxTokens = Math.floor(maxTokens / 2);
      request.onContextOverflow?.(`for an answer of at most ${maxTokens} tokens`);
    } else {
      const { finished } = answer;
      const text = request.instruct ? fromEditStart(answer.text) : answer.text;
      const { syntax = "refuse" } = request;
      const past = sample.history.map(({ code }) => code);
      const options = { format, convention, lang: sample.current.lang, finished, syntax, history: past };
      const outcome = await applyEdit(original, text, options);
      const omittedVersions = sample.history.length - history.length;
      if (outcome.status !== "refused" || attempts > request.retries) return { outcome, attempts, omittedVersions };
      request.onRefused?.(outcome.refusal, attempts);
      feedback = refusalForModel(outcome.refusal);
      attempts += 1;
    }
  }
}

/** One answer of the model, or that the prompt exceeds its context and can be made shorter. */
async function complete(
  { client, format, instruct, explain, signal }: EditRequest,
  sample: Sample,
  maxTokens: number,
  feedback: string | undefined,
  onText: (text: string) => void,
): Promise<Completion | "context-overflow"> {
  const user = [sample.user, feedback ?? ""].join("\n\n").trim();
  const turns = instruct
    ? { messages: instructMessages(sample, format === "wf" ? "wf" : "sr", feedback), prompt: "", plain: true as const }
    : { messages: prepareInput({ ...sample, user }, format), prompt: renderPrompt({ ...sample, user }, { format }) };
  try {
    return await client.complete({ ...turns, explain, maxTokens }, { onText, ...(signal ? { signal } : {}) });
  } catch (error) {
    const overflow =
      error instanceof WorkbenchError && error.code === "model-failed" && isContextOverflow(error.message);
    if (overflow && (sample.history.length > 0 || maxTokens >= 2 * MIN_TOKENS)) return "context-overflow";
    throw error;
  }
}

/** A refusal as text for the model. Control tokens lose their marks so that they do not become tokens. */
function refusalForModel(refusal: Refusal): string {
  return `Your last answer was not applied. ${refusalText(refusal)}`.replace(/<\|(\w+)\|>/g, "$1");
}
