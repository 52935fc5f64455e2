import { z } from "zod";
import { TOKEN } from "../tokens.ts";
import { type Profile, type RequestApi, stopStrings } from "./profiles.ts";
import type { CompletionRequest } from "./types.ts";

/** A piece of an answer, whole or streamed, in the same form for every API. */
export interface Piece {
  text: string;
  /** Why generation ended; undefined while it continues. */
  reason?: string;
  /** The stop string or token that the server names. */
  stop?: string | number;
}

const Choice = z.looseObject({
  text: z.string().nullish(),
  message: z.looseObject({ content: z.string().nullish() }).nullish(),
  delta: z.looseObject({ content: z.string().nullish() }).nullish(),
  finish_reason: z.string().nullish(),
  stop_reason: z.union([z.string(), z.number()]).nullish(),
  matched_stop: z.union([z.string(), z.number()]).nullish(),
});
const OpenAiBody = z.looseObject({ choices: z.array(Choice) });
const OllamaBody = z.looseObject({
  response: z.string().optional(),
  message: z.looseObject({ content: z.string() }).optional(),
  done: z.boolean(),
  done_reason: z.string().nullish(),
});

/** One request as an API gets it. */
interface RequestParts {
  request: CompletionRequest;
  model: string;
  profile: Profile;
  stream: boolean;
  /** Size of the context in tokens, for Ollama; see `ollamaContext`. */
  context: number | undefined;
}

/** Request and answer of one API. */
export interface ApiFormat {
  path: string;
  body(parts: RequestParts): unknown;
  /** @throws z.ZodError for an answer of another shape */
  read(value: unknown): Piece;
}

/** Fields of both OpenAI APIs. Temperature 0, so that the same request has the same answer. */
const common = ({ request: { maxTokens, explain, plain }, model, profile, stream }: RequestParts) => {
  if (plain) return { model, stream, max_tokens: maxTokens, temperature: 0 };
  const stop = stopStrings(profile, explain);
  const sampling = { max_tokens: maxTokens, temperature: 0, ...(stop.length > 0 ? { stop } : {}) };
  return { model, stream, ...sampling, ...profile.fields };
};

/** Options of both Ollama APIs. */
const ollamaOptions = ({ request, context }: RequestParts) => ({
  temperature: 0,
  num_predict: request.maxTokens,
  ...(context === undefined ? {} : { num_ctx: context }),
});

export const API_FORMATS: Readonly<Record<RequestApi, ApiFormat>> = {
  completions: {
    path: "/v1/completions",
    body: (parts) => ({ ...common(parts), prompt: parts.request.prompt }),
    read: readChoice,
  },
  chat: {
    path: "/v1/chat/completions",
    body: (parts) => ({ ...common(parts), messages: parts.request.messages }),
    read: readChoice,
  },
  generate: {
    path: "/api/generate",
    body: (parts) => {
      const { request, model, stream } = parts;
      return { model, prompt: request.prompt, raw: true, stream, options: ollamaOptions(parts) };
    },
    read: readOllama,
  },
  "ollama-chat": {
    path: "/api/chat",
    body: (parts) => {
      const { request, model, stream } = parts;
      return { model, messages: request.messages, stream, options: ollamaOptions(parts) };
    },
    read: readOllama,
  },
};

function readOllama(value: unknown): Piece {
  const { response, message, done, done_reason } = OllamaBody.parse(value);
  const text = response ?? message?.content ?? "";
  return done ? { text, reason: done_reason ?? "stop" } : { text };
}

function readChoice(value: unknown): Piece {
  const [choice] = OpenAiBody.parse(value).choices;
  if (choice === undefined) return { text: "" };
  const text = choice.text ?? choice.delta?.content ?? choice.message?.content ?? "";
  const stop = choice.stop_reason ?? choice.matched_stop ?? undefined;
  const reason = choice.finish_reason ?? undefined;
  return { text, ...(reason === undefined ? {} : { reason }), ...(stop === undefined ? {} : { stop }) };
}

/** Whether the server reports that generation stopped on the token that closes the edit. */
export function stoppedAtEditEnd({ reason, stop }: Piece): boolean {
  return reason === "stop" && stop === TOKEN.editEnd;
}
