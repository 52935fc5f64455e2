import { z } from "zod";
import { wavFile } from "../../../daemon/audio/capture/wav.ts";
import { jsonOrNull } from "../../../robot/wire/validation/parse-json.ts";

/** What is said in each answer, and what is heard in any speech. */
export const REPLY = "Hello! I am glad to see you.";
export const HEARD = "Hello, robot.";
const MODEL = "scripted";
/** Samples a second of speech, and the length of each in seconds. */
const RATE = 24_000;
const SPEECH_S = 0.6;
const TONE_HZ = 220;
const LOUDNESS = 6000;
const DIMENSIONS = 1536;

/** What a request asks for; `input` of a speech or of embeddings is not looked at, except for the number of texts. */
const Body = z.object({ stream: z.boolean(), response_format: z.unknown(), input: z.unknown() }).partial().catch({});

interface Answer {
  status: number;
  type: string;
  body: string | Uint8Array;
}

const json = (value: unknown, status = 200): Answer => ({
  status,
  type: "application/json",
  body: JSON.stringify(value),
});

/** The answer to a request of the usual OpenAI-style interfaces (https://platform.openai.com/docs/api-reference). */
export function answerTo(method: string, path: string, text: string): Answer {
  if (path === "/v1/models") return json({ object: "list", data: [{ id: MODEL, object: "model" }] });
  if (method !== "POST") return notFound(path);
  if (path === "/v1/audio/transcriptions" || path === "/v1/audio/translations") return transcription(text);
  const body = Body.parse(jsonOrNull(text));
  if (path === "/v1/chat/completions") return body.stream === true ? events(chatEvents()) : json(chat());
  if (path === "/v1/responses") return body.stream === true ? events(responseEvents()) : json(response("completed"));
  if (path === "/v1/audio/speech") return speech(body.response_format);
  if (path === "/v1/embeddings") return json(embeddings(Array.isArray(body.input) ? body.input.length : 1));
  return notFound(path);
}

const notFound = (path: string): Answer => json({ error: { message: `the scripted provider has no ${path}` } }, 404);

/** A form, in which a client may ask for bare text. */
const transcription = (form: string): Answer =>
  /name="response_format"\s+text\s/.test(form)
    ? { status: 200, type: "text/plain", body: `${HEARD}\n` }
    : json({ text: HEARD, language: "english", duration: 1, segments: [], words: [] });

const USAGE = { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 };
const CHAT = { id: "chatcmpl-1", created: 1, model: MODEL };

const chat = () => ({
  ...CHAT,
  object: "chat.completion",
  choices: [{ index: 0, finish_reason: "stop", message: { role: "assistant", content: REPLY } }],
  usage: USAGE,
});

function chatEvents(): string[] {
  const chunk = (delta: object, finish_reason: string | null = null) =>
    JSON.stringify({ ...CHAT, object: "chat.completion.chunk", choices: [{ index: 0, delta, finish_reason }] });
  const words = REPLY.split(/(?<= )/).map((content) => chunk({ content }));
  return [chunk({ role: "assistant", content: "" }), ...words, chunk({}, "stop"), "[DONE]"];
}

const ITEM = { id: "msg_1", type: "message", role: "assistant", status: "completed" };

/** A response of the newer interface, also in the events of a realtime session. */
const response = (status: "in_progress" | "completed") => ({
  id: "resp_1",
  object: "response",
  created_at: 1,
  model: MODEL,
  status,
  parallel_tool_calls: false,
  tool_choice: "auto",
  tools: [],
  output: status === "completed" ? [{ ...ITEM, content: [{ type: "output_text", text: REPLY, annotations: [] }] }] : [],
  usage: { input_tokens: 1, output_tokens: 1, total_tokens: 2 },
});

function responseEvents(): string[] {
  const place = { item_id: ITEM.id, output_index: 0, content_index: 0 };
  const all = [
    { type: "response.created", response: response("in_progress") },
    { type: "response.output_text.delta", ...place, delta: REPLY, logprobs: [] },
    { type: "response.output_text.done", ...place, text: REPLY, logprobs: [] },
    { type: "response.completed", response: response("completed") },
  ];
  return all.map((event, sequence_number) => JSON.stringify({ ...event, sequence_number }));
}

const events = (data: readonly string[]): Answer => ({
  status: 200,
  type: "text/event-stream",
  body: data.map((each) => `data: ${each}\n\n`).join(""),
});

const embeddings = (count: number) => ({
  object: "list",
  model: MODEL,
  data: Array.from({ length: count }, (_, index) => {
    return { object: "embedding", index, embedding: Array.from({ length: DIMENSIONS }, (_, at) => (at === 0 ? 1 : 0)) };
  }),
  usage: { prompt_tokens: 1, total_tokens: 1 },
});

/** A tone in place of speech. */
export const speechSamples = (): Int16Array =>
  Int16Array.from({ length: RATE * SPEECH_S }, (_, at) => LOUDNESS * Math.sin((2 * Math.PI * TONE_HZ * at) / RATE));

function speech(format: unknown): Answer {
  const samples = speechSamples();
  if (format === "pcm") return { status: 200, type: "audio/pcm", body: Buffer.from(samples.buffer) };
  return { status: 200, type: "audio/wav", body: wavFile(samples, RATE) };
}
