import WebSocket from "ws";
import { decodeAudio, encodeAudio, type Track } from "../../../robot/wire/audio/audio-frames.ts";

/** A client of a daemon's audio socket. */
export interface AudioClient {
  /** The samples received since the last `clearSamples`. */
  readonly samples: readonly number[];
  /** The text messages received, as JSON. */
  readonly messages: readonly string[];
  clearSamples(): void;
  send(message: unknown): void;
  sendBytes(bytes: Uint8Array): void;
  play(track: Track, samples: Int16Array): void;
  close(): void;
}

/** Connects and listens to a track (null: to none); resolves when the daemon has taken the request. */
export async function openAudioClient(url: string, track: "speaker" | "microphone" | null): Promise<AudioClient> {
  const samples: number[] = [];
  const messages: string[] = [];
  const socket = new WebSocket(`${url.replace("http", "ws")}/ws/audio`);
  const send = (message: unknown): void => socket.send(JSON.stringify(message));
  // The daemon answers an invalid message with an error, after it has taken the messages before it.
  const ready = new Promise<void>((resolve, reject) => {
    socket.on("error", reject);
    socket.on("message", (data: Buffer, isBinary) => {
      if (isBinary) samples.push(...decodeAudio(data).samples);
      else if (messages.push(String(data)) > 1) resolve();
    });
  });
  socket.once("open", () => {
    if (track !== null) send({ type: "listen", track, on: true });
    send("an invalid message");
  });
  await ready;
  return {
    samples,
    messages,
    clearSamples: () => {
      samples.length = 0;
    },
    send,
    sendBytes: (bytes) => socket.send(bytes),
    play: (track, samples) => socket.send(encodeAudio(track, samples)),
    close: () => socket.terminate(),
  };
}
