import WebSocket from "ws";
import { decodeAudio, encodeAudio, type Track } from "../../robot/wire/audio-frames.ts";

/** Somebody at the audio socket of a daemon. */
export interface Ear {
  /** What was heard since the last `forget`. */
  readonly samples: readonly number[];
  /** What the daemon said, as JSON. */
  readonly told: readonly string[];
  forget(): void;
  say(message: unknown): void;
  sendBytes(bytes: Uint8Array): void;
  play(track: Track, samples: Int16Array): void;
  close(): void;
}

/** Listens to a track; resolves when it does. */
export async function openEar(url: string, track: "speaker" | "microphone" | null): Promise<Ear> {
  const samples: number[] = [];
  const told: string[] = [];
  const socket = new WebSocket(`${url.replace("http", "ws")}/ws/audio`);
  const say = (message: unknown): void => socket.send(JSON.stringify(message));
  // An answer to nonsense tells that what was said before has been heeded.
  const heeded = new Promise<void>((resolve, reject) => {
    socket.on("error", reject);
    socket.on("message", (data: Buffer, isBinary) => {
      if (isBinary) samples.push(...decodeAudio(data).samples);
      else if (told.push(String(data)) > 1) resolve();
    });
  });
  socket.once("open", () => {
    if (track !== null) say({ type: "listen", track, on: true });
    say("heeded?");
  });
  await heeded;
  return {
    samples,
    told,
    forget: () => {
      samples.length = 0;
    },
    say,
    sendBytes: (bytes) => socket.send(bytes),
    play: (to, what) => socket.send(encodeAudio(to, what)),
    close: () => socket.terminate(),
  };
}
