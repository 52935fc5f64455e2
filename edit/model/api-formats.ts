import { z } from "zod";
import { WorkbenchError } from "../../robot/wire/errors.ts";
import { TOKEN } from "../tokens.ts";
import { complaintIn } from "./complaint.ts";
import { type Api, type Profile, stopStrings } from "./profiles.ts";
import { ServerError } from "./server-error.ts";
import type { CompletionRequest } from "./types.ts";

/** A piece of an answer, whole or streamed, in the same form for both APIs. */
export interface Piece {
  text: string;
  /** Why generation ended; undefined while it continues. */
  reason?: "stop" | "length";
  /** The stop string or token that the server names. */
  stop?: string | number;
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
const Body = z.looseObject({ choices: z.array(Choice).nullish() });

/** One request as an API gets it. */
interface RequestParts {
  request: CompletionRequest;
  model: string;
  profile: Profile;
  stream: boolean;
}

/** Request and answer of one API. */
interface ApiFormat {
  /** The end of its address. */
  endpoint: string;
  body(parts: RequestParts): Readonly<Record<string, unknown>>;
}

/** Fields of both APIs. Temperature 0, so that the same request has the same answer. */
const common = ({ request: { maxTokens, explain, plain }, model, profile, stream }: RequestParts) => {
  if (plain) return { model, stream, max_tokens: maxTokens, temperature: 0 };
  const stop = stopStrings(profile, explain);
  const sampling = { max_tokens: maxTokens, temperature: 0, ...(stop.length > 0 ? { stop } : {}) };
  return { model, stream, ...sampling, ...profile.fields };
};

export const API_FORMATS: Readonly<Record<Api, ApiFormat>> = {
  completions: {
    endpoint: "completions",
    body: (parts) => ({ ...common(parts), prompt: parts.request.prompt }),
  },
  chat: {
    endpoint: "chat/completions",
    body: (parts) => ({ ...common(parts), messages: parts.request.messages }),
  },
};

const each = (reason: Piece["reason"]) => (name: string) => [name, reason] as const;

/** What servers call the end of an answer, and its limit; in another case the answer is not what the model meant to say. */
const REASONS: ReadonlyMap<string, Piece["reason"]> = new Map([
  ...["stop", "eos", "eos_token", "stop_sequence", "stop_token", "end_turn", "complete", "completed", "done"].map(
    each("stop"),
  ),
  ...["tool_calls", "function_call", "tool_use"].map(each("stop")),
  ...["length", "max_tokens", "max_output_tokens", "model_length"].map(each("length")),
]);

/**
 * Reads an answer, or a chunk of a streamed one.
 * @throws z.ZodError for an answer of another shape
 * @throws WorkbenchError `model-failed` for an error, a refusal, or a call of a tool
 */
export function readChoice(value: unknown): Piece {
  const complaint = complaintIn(value);
  if (complaint !== undefined)
    throw new ServerError(`The server answered with an error: ${complaint.message}`, complaint);
  const choice = Body.parse(value).choices?.[0];
  if (choice === undefined) return { text: "" };
  const message = choice.delta ?? choice.message;
  if (message?.refusal) throw new WorkbenchError("model-failed", `The model refuses to answer: ${message.refusal}`);
  const call = message?.tool_calls?.[0];
  if (call) {
    const detail = `The model calls the tool ${call.function?.name ?? "without a name"} instead of answering with text.`;
    throw new WorkbenchError("model-failed", `${detail} Turn tools off at the server.`);
  }
  const reason = reasonOf(choice.finish_reason);
  const stop = choice.stop_reason ?? choice.matched_stop ?? undefined;
  const text = choice.text ?? message?.content ?? "";
  return { text, ...(reason === undefined ? {} : { reason }), ...(stop === undefined ? {} : { stop }) };
}

/** @throws WorkbenchError `model-failed` for a reason other than the end of the answer or its limit */
function reasonOf(said: string | null | undefined): Piece["reason"] {
  if (!said || said === "null") return undefined;
  const reason = REASONS.get(said.toLowerCase());
  if (reason !== undefined) return reason;
  const why = /filter|safety|moderation|blocked/i.test(said)
    ? "its content filter ended the answer"
    : "it ended the answer itself";
  const next = "Ask in other words, or another model.";
  throw new WorkbenchError("model-failed", `The server gives no whole answer: ${why} (finish_reason ${said}). ${next}`);
}

/** Whether the server reports that generation stopped on the token that closes the edit. */
export function stoppedAtEditEnd({ reason, stop }: Piece): boolean {
  return reason === "stop" && stop === TOKEN.editEnd;
}
