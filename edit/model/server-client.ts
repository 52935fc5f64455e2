import { WorkbenchError } from "../../robot/wire/errors.ts";
import { TOKEN } from "../tokens.ts";
import { Adaptation } from "./adaptation.ts";
import { API_FORMATS, type Piece, stoppedAtEditEnd } from "./api-formats.ts";
import { canBeAboutRequest } from "./complaint.ts";
import { type ModelServerOptions, send, withDeadline } from "./http.ts";
import { contextLimit } from "./identify.ts";
import { type Api, type ProfileName, SERVER_PROFILES } from "./profiles.ts";
import { readCompleteAnswer, readStream } from "./read-answer.ts";
import { serverAddress } from "./server-address.ts";
import { ServerError } from "./server-error.ts";
import type { CompleteOptions, Completion, CompletionRequest, ModelClient } from "./types.ts";

export interface ServerClientOptions extends ModelServerOptions {
  model: string;
  /** The kind of server. Default `openai`, which assumes least. */
  profile?: ProfileName;
  /** Default `completions`; a normal chat is sent to `chat`. */
  api?: Api;
  /** Default true. */
  stream?: boolean;
}

/**
 * A client of a model server: `completions` or `chat/completions`. What the model does not take (a system turn, a field) is
 * learned from its refusal and left out from then on.
 */
export function serverClient(options: ServerClientOptions): ModelClient {
  const adaptation = adaptationOf(options);
  return {
    model: options.model,
    complete: (request, { signal, onText } = {}) =>
      withDeadline(options, signal, (limited) => complete(options, adaptation, request, limited, onText)),
  };
}

/** What was learned about models in this process, by server and model, the latest. */
const learned = new Map<string, Adaptation>();
const MAX_LEARNED = 100;

function adaptationOf({ serverUrl, model }: ServerClientOptions): Adaptation {
  const key = `${serverAddress(serverUrl).shown} ${model}`;
  const adaptation = learned.get(key) ?? new Adaptation();
  learned.delete(key);
  learned.set(key, adaptation);
  for (const oldest of [...learned.keys()].slice(0, -MAX_LEARNED)) learned.delete(oldest);
  return adaptation;
}

async function complete(
  options: ServerClientOptions,
  adaptation: Adaptation,
  request: CompletionRequest,
  signal: AbortSignal,
  onText: CompleteOptions["onText"],
): Promise<Completion> {
  const { model, stream = true, api = "completions" } = options;
  const format = API_FORMATS[request.plain ? "chat" : api];
  const profile = SERVER_PROFILES[options.profile ?? "openai"];
  for (;;) {
    const body = adaptation.adapt(format.body({ request, model, profile, stream }));
    const whole: Piece = { text: "" };
    try {
      const response = await send(options, format.endpoint, body, signal);
      await collect(
        whole,
        "stream" in body && stream ? readStream(response) : [await readCompleteAnswer(response)],
        request,
        onText,
      );
    } catch (error) {
      if (!(error instanceof ServerError) || whole.text !== "") throw error;
      if (adaptation.learn(error, body)) continue;
      error.isContextOverflow ||= await exceedsLimit(options, error, body, request, signal);
      throw error;
    }
    const end = request.explain ? -1 : whole.text.indexOf(TOKEN.editEnd);
    const text = end < 0 ? whole.text : whole.text.slice(0, end + TOKEN.editEnd.length);
    const finished = stoppedAtEditEnd(whole) || (await stoppedAtEditEndToken(options, whole, signal));
    return { text, finished, ...(whole.reason === undefined ? {} : { reason: whole.reason }) };
  }
}

/** What ends an answer, or its edit, as its last words. */
const ENDED = new RegExp(
  `(?:${[TOKEN.editEnd, TOKEN.turnEnd, TOKEN.endOfText].map((token) => token.replaceAll("|", "\\|")).join("|")})\\s*$`,
);

/**
 * Reads the pieces of an answer into one.
 * @throws WorkbenchError `model-failed` when the connection ends in the middle
 */
async function collect(
  whole: Piece,
  pieces: AsyncIterable<Piece> | Iterable<Piece>,
  { explain }: CompletionRequest,
  onText: CompleteOptions["onText"],
): Promise<void> {
  try {
    let tail = "";
    for await (const piece of pieces) {
      if (piece.text !== "") onText?.(piece.text);
      Object.assign(whole, piece, { text: whole.text + piece.text });
      tail = tail.slice(-TOKEN.editEnd.length) + piece.text;
      // Leaving the loop closes the connection, which ends generation on servers that ignore the stop string.
      if (!explain && tail.includes(TOKEN.editEnd)) break;
    }
  } catch (cause) {
    // What `fetch` throws when a connection ends inside an answer.
    if (!(cause instanceof TypeError)) throw cause;
    if (ENDED.test(whole.text)) return;
    throw new WorkbenchError(
      "model-failed",
      `The server broke off in the middle of its answer (${cause.message}). Try again.`,
      { cause },
    );
  }
}

/** Bytes of code and prose in a token are at most about this many, so that a prompt is never taken for longer than it is. */
const BYTES_PER_TOKEN = 4;

/** Whether a request that was refused without a reason is longer than the list of models says that it may be. */
async function exceedsLimit(
  options: ServerClientOptions,
  { status }: ServerError,
  body: Readonly<Record<string, unknown>>,
  { maxTokens }: CompletionRequest,
  signal: AbortSignal,
): Promise<boolean> {
  if (status === undefined || !canBeAboutRequest(status)) return false;
  const limit = await contextLimit(options, options.model, signal);
  const bytes = Buffer.byteLength(JSON.stringify(body.messages ?? body.prompt));
  return limit !== undefined && bytes / BYTES_PER_TOKEN + maxTokens > limit;
}

/** Whether the server names the number of the token that closes an edit as its reason to stop: its tokenizer knows. */
async function stoppedAtEditEndToken(
  options: ServerClientOptions,
  { reason, stop }: Piece,
  signal: AbortSignal,
): Promise<boolean> {
  if (reason !== "stop" || typeof stop !== "number") return false;
  try {
    const body = { model: options.model, prompt: TOKEN.editEnd, add_special_tokens: false };
    const answer = (await (await send(options, "/tokenize", body, signal)).json()) as { tokens?: unknown };
    return Array.isArray(answer.tokens) && answer.tokens.length === 1 && answer.tokens[0] === stop;
  } catch {
    signal.throwIfAborted();
    return false;
  }
}
