import { z } from "zod";
import { TOKEN } from "../tokens.ts";
import { type Api, type Profile, stopStrings } from "./profiles.ts";
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
const OllamaBody = z.looseObject({ response: z.string(), done: z.boolean(), done_reason: z.string().nullish() });

/** Request and answer of one API. */
export interface ApiFormat {
  path: string;
  body(request: CompletionRequest, model: string, profile: Profile, stream: boolean): unknown;
  /** @throws z.ZodError for an answer of another shape */
  read(value: unknown): Piece;
}

/** Fields of both OpenAI APIs. Temperature 0, so that the same request has the same answer. */
const common = ({ maxTokens, explain }: CompletionRequest, model: string, profile: Profile, stream: boolean) => {
  const stop = stopStrings(profile, explain);
  const sampling = { max_tokens: maxTokens, temperature: 0, ...(stop.length > 0 ? { stop } : {}) };
  return { model, stream, ...sampling, ...profile.fields };
};

export const API_FORMATS: Readonly<Record<Api, ApiFormat>> = {
  completions: {
    path: "/v1/completions",
    body: (request, model, profile, stream) => ({ ...common(request, model, profile, stream), prompt: request.prompt }),
    read: readChoice,
  },
  chat: {
    path: "/v1/chat/completions",
    body: (request, model, profile, stream) => ({
      ...common(request, model, profile, stream),
      messages: request.messages,
    }),
    read: readChoice,
  },
  generate: {
    path: "/api/generate",
    body: ({ prompt, maxTokens }, model, _profile, stream) => {
      return { model, prompt, raw: true, stream, options: { temperature: 0, num_predict: maxTokens } };
    },
    read: (value) => {
      const { response, done, done_reason } = OllamaBody.parse(value);
      return done ? { text: response, reason: done_reason ?? "stop" } : { text: response };
    },
  },
};

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
