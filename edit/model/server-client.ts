import { WorkbenchError } from "../../robot/wire/errors.ts";
import { TOKEN } from "../tokens.ts";
import { API_FORMATS, type Piece, stoppedAtEditEnd } from "./api-formats.ts";
import { type ModelServerOptions, send, withDeadline } from "./http.ts";
import { type Api, type ProfileName, SERVER_PROFILES } from "./profiles.ts";
import { readCompleteAnswer, readStream } from "./read-answer.ts";
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

/** A client of a model server: `/v1/completions` or `/v1/chat/completions`. */
export function serverClient(options: ServerClientOptions): ModelClient {
  return {
    model: options.model,
    serverUrl: options.serverUrl,
    complete: async (request, { signal, onText } = {}) => {
      try {
        return await withDeadline(options, signal, (limited) => complete(options, request, limited, onText));
      } catch (cause) {
        // What `fetch` throws when a connection ends inside an answer.
        if (!(cause instanceof TypeError)) throw cause;
        const detail = `${options.serverUrl} broke off in the middle of its answer (${cause.message}). Try again.`;
        throw new WorkbenchError("model-failed", detail, { cause });
      }
    },
  };
}

async function complete(
  options: ServerClientOptions,
  request: CompletionRequest,
  signal: AbortSignal,
  onText: CompleteOptions["onText"],
): Promise<Completion> {
  const { model, stream = true, api = "completions" } = options;
  const profile = SERVER_PROFILES[options.profile ?? "openai"];
  const format = API_FORMATS[request.plain ? "chat" : api];
  const response = await send(options, format.path, format.body({ request, model, profile, stream }), signal);
  const pieces = stream ? readStream(response) : [await readCompleteAnswer(response)];
  const whole: Piece = { text: "" };
  for await (const piece of pieces) {
    if (piece.text !== "") onText?.(piece.text);
    Object.assign(whole, piece, { text: whole.text + piece.text });
    // Leaving the loop closes the connection, which ends generation on servers that ignore the stop string.
    if (!request.explain && whole.text.includes(TOKEN.editEnd)) break;
  }
  const end = request.explain ? -1 : whole.text.indexOf(TOKEN.editEnd);
  const text = end < 0 ? whole.text : whole.text.slice(0, end + TOKEN.editEnd.length);
  const finished = stoppedAtEditEnd(whole) || (await stoppedAtEditEndToken(options, whole, signal));
  return { text, finished };
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
    const answer = (await (await send({ ...options, retries: 0 }, "/tokenize", body, signal)).json()) as {
      tokens?: unknown;
    };
    return Array.isArray(answer.tokens) && answer.tokens.length === 1 && answer.tokens[0] === stop;
  } catch {
    signal.throwIfAborted();
    return false;
  }
}
