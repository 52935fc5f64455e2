import { decodeAudio, encodeAudio, SAMPLE_RATE, type Track } from "../../../../robot/wire/audio/audio-frames.ts";
import { AudioClientMessage, type AudioServerMessage } from "../../../../robot/wire/audio/audio-messages.ts";
import { problemOf, WorkbenchError } from "../../../../robot/wire/errors.ts";
import { parseJson } from "../../../../robot/wire/validation/parse-json.ts";
import { parseOrThrow } from "../../../../robot/wire/validation/parse-or-throw.ts";
import type { Audio } from "../../../audio/audio.ts";
import type { MicrophoneFeed } from "../../../audio/capture/microphone.ts";
import { soundSamples } from "../../../audio/playback/sounds.ts";
import type { PlaybackQueue } from "../../../audio/playback/speaker.ts";
import type { Scope } from "../../connections/scope.ts";

/** Capacity of the track `speaker`: ten seconds. */
export const SPEAKER_CAPACITY = 10 * SAMPLE_RATE;
/** Capacity of the track `sound`: one minute. */
const SOUND_CAPACITY = 60 * SAMPLE_RATE;
/** `played` is sent for every tenth of a second, and when the queue is empty. */
const PLAYED_INTERVAL = SAMPLE_RATE / 10;

interface AudioSessionParts {
  audio: Pick<Audio, "speaker" | "microphone" | "openMicrophoneFeed">;
  /** Of the connection. */
  scope: Scope;
  send(message: AudioServerMessage): void;
  /** Drops the samples when the client is too slow. */
  sendSamples(message: Uint8Array): void;
}

/** One client of the audio socket. Its playback, recording and microphone feed end with it. */
export class AudioSession {
  readonly #parts: AudioSessionParts;
  readonly #queues: Record<"speaker" | "sound", PlaybackQueue>;
  readonly #listening = new Map<Track, () => void>();
  #feed: MicrophoneFeed | null = null;
  #unreported = 0;

  constructor(parts: AudioSessionParts) {
    const { audio, scope } = parts;
    this.#parts = parts;
    this.#queues = {
      speaker: audio.speaker.openQueue(SPEAKER_CAPACITY, (samples) => this.#reportPlayed(samples)),
      sound: audio.speaker.openQueue(SOUND_CAPACITY),
    };
    scope.add(() => this.#close());
  }

  /** Handles a message; a bad one is answered with `error`. */
  receive(data: Uint8Array, isBinary: boolean): undefined {
    try {
      if (isBinary) this.#receiveSamples(data);
      else
        this.#handle(parseOrThrow(AudioClientMessage, parseJson(new TextDecoder().decode(data), "message"), "message"));
    } catch (error) {
      const { code, detail } = problemOf(error);
      this.#parts.send({ type: "error", code, detail });
    }
  }

  #close(): void {
    for (const stop of this.#listening.values()) stop();
    this.#feed?.close();
    this.#queues.speaker.close();
    this.#queues.sound.close();
  }

  #receiveSamples(bytes: Uint8Array): void {
    const { track, samples } = decodeAudio(bytes);
    if (track === "microphone") {
      if (this.#feed === null)
        throw new WorkbenchError(
          "bad-request",
          "No microphone feed is open; send lend_microphone before microphone samples.",
        );
      this.#feed.push(samples);
      return;
    }
    const queue = this.#queues[track];
    if (queue.push(samples)) return;
    // A client counts what it sent and what was played; without this, what is dropped here would count as queued.
    if (track === "speaker") this.#reportPlayed(samples.length);
    throw new WorkbenchError(
      "bad-request",
      `${samples.length} samples of ${track} are dropped, because ${queue.length} are queued; wait for "played", or send "drop".`,
    );
  }

  #handle(message: AudioClientMessage): void {
    switch (message.type) {
      case "listen":
        if (message.on) this.#listen(message.track);
        else this.#stopListening(message.track);
        return;
      case "lend_microphone":
        this.#feed?.close();
        this.#feed = message.on ? this.#parts.audio.openMicrophoneFeed() : null;
        return;
      case "play":
        this.#queues.sound.clear();
        this.#queues.sound.push(soundSamples(message.sound));
        return;
      case "drop":
        this.#queues[message.track].clear();
    }
  }

  #listen(track: "microphone" | "speaker"): void {
    if (this.#listening.has(track)) return;
    const stop = this.#parts.audio[track].listen((samples) => this.#parts.sendSamples(encodeAudio(track, samples)));
    this.#listening.set(track, stop);
  }

  #stopListening(track: Track): void {
    this.#listening.get(track)?.();
    this.#listening.delete(track);
  }

  #reportPlayed(samples: number): void {
    this.#unreported += samples;
    if (this.#unreported < PLAYED_INTERVAL && this.#queues.speaker.length > 0) return;
    this.#parts.send({ type: "played", samples: this.#unreported });
    this.#unreported = 0;
  }
}
