import { WorkbenchError } from "../../robot/wire/errors.ts";
import { applyEdit, type EditResult } from "../apply/apply.ts";
import { NO_FILE, textForModel } from "../apply/file.ts";
import type { SyntaxPolicy } from "../apply/syntax.ts";
import type { Convention, Format } from "../formats/format.ts";
import { parseResponse } from "../formats/parse/parse-response.ts";
import { ResponseStream, type StreamPiece } from "../formats/parse/stream.ts";
import { isContextOverflow } from "../model/error-messages.ts";
import type { Completion, CompletionRequest, ModelClient } from "../model/types.ts";
import { escapeTokens, restoreEdit, TOKEN_LIKE, type TokenEscape } from "../prompt/escape-tokens.ts";
import { fromEditStart, instructFilesMessages, instructMessages } from "../prompt/instruct.ts";
import { prepareInput } from "../prompt/messages.ts";
import { renderPrompt } from "../prompt/render-prompt.ts";
import { type Refusal, refusalText } from "../refusal.ts";
import type { CodeItem, Sample } from "../sample.ts";
import { applyFiles, type FileRefusal, type FilesResult, type FileToEdit } from "./edit-files.ts";

/** What requests for edits of one and of several files have in common. */
interface RequestOptions {
  client: ModelClient;
  explain: boolean;
  maxTokens: number;
  /** How often a refused answer is sent back to the model. */
  retries: number;
  signal?: AbortSignal;
  /** Called with the pieces of each answer while it arrives. */
  onPiece?: (piece: StreamPiece) => void;
  /** Called before a request is repeated because it exceeded the model's context. @param change "without ..." */
  onContextOverflow?: (change: string) => void;
}

export interface EditRequest extends RequestOptions {
  sample: Sample;
  /** The text to apply the answer to, with its line ends; `sample.current.code` is the text that the model sees. */
  original: string;
  format: Format;
  convention: Convention;
  syntax?: SyntaxPolicy;
  /** The model is asked in a chat with the format as instructions, because it was not trained for it. Not for `lc`. */
  instruct?: boolean;
  onRefused?: (refusal: Refusal, attempt: number) => void;
}

interface Requested<Outcome> {
  outcome: Outcome;
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
export function requestEdit(request: EditRequest): Promise<Requested<EditResult>> {
  const { sample, original, format, convention, instruct, syntax = "refuse" } = request;
  const past = sample.history.map(({ code }) => code);
  const options = { convention, lang: sample.current.lang, syntax, history: past };
  const tokens = escapeTokens([...past, sample.current.code, sample.user]);
  const shown = withEscapedTokens(sample, tokens);
  return requestUntilApplied(request, {
    versions: past.length,
    tokens,
    turns: (omitted, feedback) => turnsOf({ ...shown, history: shown.history.slice(omitted) }, request, feedback),
    judge: async ({ text, finished }) => {
      const parsed = parseResponse(instruct ? fromEditStart(text) : text, { format, finished, current: original });
      const meant = parsed.kind === "edit" ? { ...parsed, edit: restoreEdit(parsed.edit, tokens.restore) } : parsed;
      return applyEdit(original, { ...meant, explanation: tokens.restore(parsed.explanation) }, options);
    },
    refusalOf: (outcome, attempt) => {
      if (outcome.status !== "refused") return undefined;
      if (attempt <= request.retries) request.onRefused?.(outcome.refusal, attempt);
      return refusalText(outcome.refusal);
    },
  });
}

/** A sample in which control tokens are text, with the note on it in the instruction. Offsets of `loc` stay as they are. */
function withEscapedTokens(sample: Sample, tokens: TokenEscape): Sample {
  const escaped = (item: CodeItem) => ({ ...item, code: tokens.escape(item.code) });
  const user = tokens.escape(sample.user);
  return {
    ...sample,
    history: sample.history.map(escaped),
    current: escaped(sample.current),
    user: user === "" || tokens.note === "" ? user : `${user}\n\n${tokens.note}`,
  };
}

/** A request for edits of several files. */
interface FilesRequest extends RequestOptions {
  /** The app's folder, absolute. */
  app: string;
  files: readonly FileToEdit[];
  instruction: string;
  syntax: SyntaxPolicy;
  onRefused?: (refusals: readonly FileRefusal[]) => void;
}

/** Asks any chat model for an edit of several files and applies it to all or to none; otherwise as `requestEdit`. */
export function requestFiles(request: FilesRequest): Promise<Requested<FilesResult>> {
  const { app, files, instruction, syntax } = request;
  const texts = files.map(({ source }) => textForModel(source.text));
  const tokens = escapeTokens([...texts, ...files.map(({ name }) => name), instruction]);
  const shown = files.map(({ name, source }, index) => {
    return { name: tokens.escape(name), text: source.hash === NO_FILE ? null : tokens.escape(texts[index] ?? "") };
  });
  const user = [tokens.escape(instruction), tokens.note].join("\n\n").trim();
  return requestUntilApplied(request, {
    versions: 0,
    tokens,
    turns: (_, feedback) => ({
      messages: instructFilesMessages(shown, user, feedback),
      prompt: "",
      plain: true,
    }),
    judge: ({ text, finished }) =>
      applyFiles({ text: fromEditStart(text), finished, app, files, syntax, restore: tokens.restore }),
    refusalOf: (outcome, attempt) => {
      if (outcome.status !== "refused") return undefined;
      if (attempt <= request.retries) request.onRefused?.(outcome.refusals);
      return outcome.refusals.map(fileRefusalText).join("\n");
    },
  });
}

/** A refusal in the edit of a file, as text. */
export const fileRefusalText = ({ name, refusal }: FileRefusal): string =>
  `${name === undefined ? "" : `${name}: `}${refusalText(refusal)}`;

type Turns = Pick<CompletionRequest, "messages" | "prompt" | "plain">;

/** What to ask, and how answers are judged. */
interface Exchange<Outcome> {
  /** Number of older versions in the prompt, which may be left out. */
  versions: number;
  tokens: TokenEscape;
  turns(omittedVersions: number, feedback: string | undefined): Turns;
  judge(answer: Completion): Promise<Outcome>;
  /** Why an answer was refused; undefined when it was not. */
  refusalOf(outcome: Outcome, attempt: number): string | undefined;
}

async function requestUntilApplied<Outcome>(
  request: RequestOptions,
  exchange: Exchange<Outcome>,
): Promise<Requested<Outcome>> {
  let { maxTokens } = request;
  let omittedVersions = 0;
  let feedback: string | undefined;
  let attempts = 1;
  for (;;) {
    const versions = exchange.versions - omittedVersions;
    const canShorten = versions > 0 || maxTokens >= 2 * MIN_TOKENS;
    const answer = await complete(request, exchange.turns(omittedVersions, feedback), maxTokens, canShorten);
    if (answer === "context-overflow" && versions > 0) {
      request.onContextOverflow?.(`without the oldest of ${versions} older version(s)`);
      omittedVersions += 1;
    } else if (answer === "context-overflow") {
      maxTokens = Math.floor(maxTokens / 2);
      request.onContextOverflow?.(`for an answer of at most ${maxTokens} tokens`);
    } else {
      const outcome = await exchange.judge(answer);
      const refusal = exchange.refusalOf(outcome, attempts);
      if (refusal === undefined || attempts > request.retries) return { outcome, attempts, omittedVersions };
      feedback = refusalForModel(exchange.tokens.escape(refusal));
      attempts += 1;
    }
  }
}

function turnsOf(sample: Sample, { format, instruct }: EditRequest, feedback: string | undefined): Turns {
  if (instruct)
    return { messages: instructMessages(sample, format === "wf" ? "wf" : "sr", feedback), prompt: "", plain: true };
  const asked = { ...sample, user: [sample.user, feedback ?? ""].join("\n\n").trim() };
  return { messages: prepareInput(asked, format), prompt: renderPrompt(asked, { format }) };
}

/** One answer of the model, or that the prompt exceeds its context and can be made shorter. */
async function complete(
  { client, explain, signal, onPiece }: RequestOptions,
  turns: Turns,
  maxTokens: number,
  canShorten: boolean,
): Promise<Completion | "context-overflow"> {
  const stream = new ResponseStream({ format: "sr" });
  const onText = (text: string) => {
    for (const piece of stream.push(text)) onPiece?.(piece);
  };
  try {
    return await client.complete({ ...turns, explain, maxTokens }, { onText, ...(signal ? { signal } : {}) });
  } catch (error) {
    const overflow =
      error instanceof WorkbenchError && error.code === "model-failed" && isContextOverflow(error.message);
    if (overflow && canShorten) return "context-overflow";
    throw error;
  }
}

/** A refusal as text for the model. Control tokens that are not escaped lose their marks so that they do not become tokens. */
function refusalForModel(refusal: string): string {
  return `Your last answer was not applied. ${refusal}`.replace(TOKEN_LIKE, "$1");
}
