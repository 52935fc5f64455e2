import { z } from "zod";
import { WorkbenchError } from "../../robot/wire/errors.ts";
import { TOKEN } from "../tokens.ts";
import { errorMessageIn } from "./error-messages.ts";
import { type Profile, type RequestApi, stopStrings } from "./profiles.ts";
import type { CompletionRequest } from "./types.ts";

/** A piece of an answer, whole or streamed, in the same form for every API. */
export interface Piece {
  text: string;
  /** Why generation ended; undefined while it continues. */
  reason?: string;
  /** The stop string or token that the server names. */
  stop?: string | number;
  /** Number of tokens of the answer so far; the last piece may have it. */
  tokens?: number;
}

/** Text, or a list of parts of which some are text. */
const Content = z.union([
  z.string(),
  z
    .array(z.looseObject({ text: z.string().nullish() }))
    .transform((parts) => parts.map(({ text }) => text ?? "").join("")),
]);
const Message = z.looseObject({
  content: Content.nullish(),
  refusal: z.string().nullish(),
  tool_calls: z.array(z.looseObject({ function: z.looseObject({ name: z.string().nullish() }).nullish() })).nullish(),
});
const Choice = z.looseObject({
  text: z.string().nullish(),
  message: Message.nullish(),
  delta: Message.nullish(),
  finish_reason: z.string().nullish(),
  stop_reason: z.union([z.string(), z.number()]).nullish(),
  matched_stop: z.union([z.string(), z.number()]).nullish(),
});
/** Some servers send chunks without choices, for example with usage figures or as a sign of life. */
const OpenAiBody = z.looseObject({
  choices: z.array(Choice).nullish(),
  usage: z
    .looseObject({ completion_tokens: z.number().nullish().catch(undefined) })
    .nullish()
    .catch(undefined),
});
const OllamaBody = z.looseObject({
  response: z.string().optional(),
  message: z.looseObject({ content: z.string() }).optional(),
  done: z.boolean(),
  done_reason: z.string().nullish(),
  eval_count: z.number().nullish().catch(undefined),
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
  /**
   * @throws z.ZodError for an answer of another shape
   * @throws WorkbenchError `model-failed` for an error, a refusal, or a call of a tool
   */
  read(value: unknown): Piece;
}

/** Fields of both OpenAI APIs. Temperature 0, so that the same request has the same answer. */
const common = ({ request: { maxTokens, explain, plain }, model, profile, stream }: RequestParts) => {
  if (plain) return { model, stream, max_tokens: maxTokens, temperature: 0 };
  const stop = stopStrings(profile, explain);
  const sampling = { max_tokens: maxTokens, temperature: 0, ...(stop.length > 0 ? { stop } : {}) };
  return { model, stream, ...sampling, ...profile.fields };
};

/** Fields of both Ollama APIs. */
const commonOfOllama = ({ request, model, stream, context }: RequestParts) => {
  const size = context === undefined ? {} : { num_ctx: context };
  return { model, stream, options: { temperature: 0, num_predict: request.maxTokens, ...size } };
};

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
    body: (parts) => ({ ...commonOfOllama(parts), prompt: parts.request.prompt, raw: true }),
    read: readOllama,
  },
  "ollama-chat": {
    path: "/api/chat",
    body: (parts) => ({ ...commonOfOllama(parts), messages: parts.request.messages }),
    read: readOllama,
  },
};

function readOllama(value: unknown): Piece {
  const { response, message, done, done_reason, eval_count } = OllamaBody.parse(value);
  const text = response ?? message?.content ?? "";
  return done ? { text, reason: done_reason ?? "stop", ...tokensOf(eval_count) } : { text };
}

const tokensOf = (tokens: number | null | undefined) => (tokens == null ? {} : { tokens });

function readChoice(value: unknown): Piece {
  const { choices, usage } = OpenAiBody.parse(value);
  const counted = tokensOf(usage?.completion_tokens);
  const problem = choices ? undefined : errorMessageIn(value);
  if (problem !== undefined) throw new WorkbenchError("model-failed", `The server answered with an error: ${problem}`);
  const choice = choices?.[0];
  if (choice === undefined) return { text: "", ...counted };
  const message = choice.delta ?? choice.message;
  if (message?.refusal) throw new WorkbenchError("model-failed", `The model refuses to answer: ${message.refusal}`);
  const call = message?.tool_calls?.[0];
  if (call) {
    const detail = `The model calls the tool ${call.function?.name ?? "without a name"} instead of answering with text.`;
    throw new WorkbenchError("model-failed", `${detail} Turn tools off at the server.`);
  }
  const text = choice.text ?? message?.content ?? "";
  const stop = choice.stop_reason ?? choice.matched_stop ?? undefined;
  const reason = choice.finish_reason ?? undefined;
  return { text, ...(reason === undefined ? {} : { reason }), ...(stop === undefined ? {} : { stop }), ...counted };
}

/** Whether the server reports that generation stopped on the token that closes the edit. */
export function stoppedAtEditEnd({ reason, stop }: Piece): boolean {
  return reason === "stop" && stop === TOKEN.editEnd;
}
