import { WorkbenchError } from "../../../robot/wire/errors.ts";
import { EXCHANGES, type Piece, provesEnd } from "./exchange.ts";
import { asDeadline, type ServerOptions, send, TIMEOUT_MS } from "./http.ts";
import { type ProfileName, SERVER_PROFILES, type Way } from "./profiles.ts";
import { readStream, readWhole } from "./read.ts";
import type { ModelClient } from "./types.ts";

export interface ServerClientOptions extends ServerOptions {
  model: string;
  /** The kind of server. Default `openai`, which assumes least. */
  profile?: ProfileName;
  /** Default: what suits the profile. */
  way?: Way;
  /** Default true. */
  stream?: boolean;
}

/** A model behind a server: `/v1/completions`, `/v1/chat/completions` or Ollama's `/api/generate`. */
export function serverClient(options: ServerClientOptions): ModelClient {
  const { model, profile: name = "openai", stream = true, timeoutMs = TIMEOUT_MS } = options;
  const profile = SERVER_PROFILES[name];
  const exchange = EXCHANGES[options.way ?? profile.way];
  return {
    model,
    complete: async (request, { signal, onText } = {}) => {
      const deadline = AbortSignal.timeout(timeoutMs);
      const either = signal === undefined ? deadline : AbortSignal.any([signal, deadline]);
      try {
        const response = await send(options, exchange.path, exchange.body(request, model, profile, stream), either);
        const pieces = stream ? readStream(response, exchange) : [await readWhole(response, exchange)];
        const whole: Piece = { text: "" };
        for await (const piece of pieces) {
          if (piece.text !== "") onText?.(piece.text);
          Object.assign(whole, piece, { text: whole.text + piece.text });
        }
        return { text: whole.text, finished: provesEnd(whole) };
      } catch (error) {
        throw asDeadline(error, options) ?? asBroken(error, options) ?? error;
      }
    },
  };
}

/** A connection that ended in the middle of an answer, which `fetch` reports as a TypeError. */
function asBroken(error: unknown, { serverUrl }: ServerOptions): WorkbenchError | undefined {
  if (!(error instanceof TypeError)) return undefined;
  const detail = `${serverUrl} broke off in the middle of its answer (${error.message}). Try again.`;
  return new WorkbenchError("model-failed", detail, { cause: error });
}
