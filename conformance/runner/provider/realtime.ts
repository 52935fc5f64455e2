import type { WebSocket } from "ws";
import { z } from "zod";
import { jsonOrNull } from "../../../robot/wire/validation/parse-json.ts";
import { HEARD, REPLY, speechSamples } from "./answers.ts";

const Event = z.object({ type: z.string(), audio: z.string().optional(), session: z.unknown().optional() });

/** Characters of base64 after which recorded sound counts as something said: 2 s at 24 kHz, then after each 10 s more. */
const SPOKEN = 128_000;
const PAUSE = 640_000;
const PLACE = { response_id: "resp_1", item_id: "item_2", output_index: 0, content_index: 0 };

/**
 * One realtime session (https://platform.openai.com/docs/guides/realtime): hears speech in the sound that it is sent, and
 * answers with a spoken sentence. Deltas have the names of both versions of the interface.
 */
export function serveRealtimeSession(socket: WebSocket): void {
  let heard = PAUSE - SPOKEN;
  let count = 0;
  const send = (type: string, more: object = {}): void => {
    count += 1;
    socket.send(JSON.stringify({ type, event_id: `event_${count}`, ...more }));
  };
  const session = (more: unknown): object => ({
    session: { id: "sess_1", object: "realtime.session", model: "scripted", ...(more as object) },
  });
  send("session.created", session({}));
  socket.on("error", () => {});
  socket.on("message", (data) => {
    const { data: event } = Event.safeParse(jsonOrNull(String(data)));
    if (event === undefined)
      return send("error", { error: { type: "invalid_request_error", message: "not an event" } });
    if (event.type === "session.update") send("session.updated", session(event.session ?? {}));
    if (event.type === "conversation.item.create") send("conversation.item.created", { item: { id: "item_0" } });
    if (event.type === "response.create") answer(send);
    if (event.type !== "input_audio_buffer.append") return;
    heard += event.audio?.length ?? 0;
    if (heard < PAUSE) return;
    heard = 0;
    hear(send);
    answer(send);
  });
}

type Send = (type: string, more?: object) => void;

function hear(send: Send): void {
  send("input_audio_buffer.speech_started", { item_id: "item_1", audio_start_ms: 0 });
  send("input_audio_buffer.speech_stopped", { item_id: "item_1", audio_end_ms: 1000 });
  send("input_audio_buffer.committed", { item_id: "item_1", previous_item_id: null });
  const transcript = { item_id: "item_1", content_index: 0, transcript: HEARD };
  send("conversation.item.input_audio_transcription.completed", transcript);
}

function answer(send: Send): void {
  const response = { id: PLACE.response_id, object: "realtime.response", output: [] };
  const delta = Buffer.from(speechSamples().buffer).toString("base64");
  send("response.created", { response: { ...response, status: "in_progress" } });
  for (const sound of ["audio", "output_audio"]) {
    send(`response.${sound}.delta`, { ...PLACE, delta });
    send(`response.${sound}_transcript.delta`, { ...PLACE, delta: REPLY });
    send(`response.${sound}.done`, PLACE);
    send(`response.${sound}_transcript.done`, { ...PLACE, transcript: REPLY });
  }
  send("response.done", { response: { ...response, status: "completed" } });
}
