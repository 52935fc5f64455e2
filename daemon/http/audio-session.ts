import { decodeAudio, encodeAudio, SAMPLE_RATE, type Track } from "../../robot/wire/audio-frames.ts";
import { AudioClientMessage, type AudioServerMessage } from "../../robot/wire/audio-messages.ts";
import { problemOf, WorkbenchError } from "../../robot/wire/errors.ts";
import type { Audio } from "../audio/audio.ts";
import type { LentMicrophone } from "../audio/microphone.ts";
import { soundOf } from "../audio/sounds.ts";
import type { Voice } from "../audio/speaker.ts";
import { parseJson, validate } from "./validate.ts";

/** Ten seconds of `speaker` may wait to be played. */
export const SPEAKER_ROOM = 10 * SAMPLE_RATE;
/** A minute is the longest sound. */
const SOUND_ROOM = 60 * SAMPLE_RATE;
/** Played samples are told a tenth of a second at a time, and when none wait any more. */
const TELL_EVERY = SAMPLE_RATE / 10;

/** How a session reaches its client. */
export interface AudioClient {
  tell(message: AudioServerMessage): void;
  /** Samples; those that a slow client has no room for are left out. */
  pass(message: Uint8Array): void;
}

/** One client of the audio socket. What it plays, records and lends ends with it. */
export class AudioSession {
  readonly #audio: Audio;
  readonly #client: AudioClient;
  readonly #voices: Record<"speaker" | "sound", Voice>;
  readonly #listening = new Map<Track, () => void>();
  #lent: LentMicrophone | null = null;
  #untold = 0;

  constructor(audio: Audio, client: AudioClient) {
    this.#audio = audio;
    this.#client = client;
    this.#voices = {
      speaker: audio.speaker.voice(SPEAKER_ROOM, (gone) => this.#played(gone)),
      sound: audio.speaker.voice(SOUND_ROOM),
    };
  }

  /** Handles one message; what is wrong with it goes back as a message of type `error`. */
  receive(data: Uint8Array, isBinary: boolean): void {
    try {
      if (isBinary) this.#hear(data);
      else this.#obey(validate(AudioClientMessage, parseJson(new TextDecoder().decode(data)), "message"));
    } catch (error) {
      const { code, detail } = problemOf(error);
      this.#client.tell({ type: "error", code, detail });
    }
  }

  close(): void {
    for (const stop of this.#listening.values()) stop();
    this.#lent?.takeBack();
    this.#voices.speaker.close();
    this.#voices.sound.close();
  }

  #hear(bytes: Uint8Array): void {
    const { track, samples } = decodeAudio(bytes);
    if (track === "microphone") {
      if (this.#lent === null)
        throw new WorkbenchError("bad-request", "No microphone is lent; send lend_microphone before its samples.");
      this.#lent.hear(samples);
      return;
    }
    const voice = this.#voices[track];
    if (!voice.push(samples))
      throw new WorkbenchError(
        "bad-request",
        `${samples.length} samples of ${track} are left out: ${voice.waiting} wait already; wait for "played", or drop them.`,
      );
  }

  #obey(message: AudioClientMessage): void {
    switch (message.type) {
      case "listen":
        if (message.on) this.#listen(message.track);
        else this.#ignore(message.track);
        return;
      case "lend_microphone":
        this.#lent?.takeBack();
        this.#lent = message.on ? this.#audio.lendMicrophone() : null;
        return;
      case "play":
        this.#voices.sound.clear();
        this.#voices.sound.push(soundOf(message.sound));
        return;
      case "drop":
        this.#voices[message.track].clear();
    }
  }

  #listen(track: "microphone" | "speaker"): void {
    if (this.#listening.has(track)) return;
    const stop = this.#audio[track].listen((samples) => this.#client.pass(encodeAudio(track, samples)));
    this.#listening.set(track, stop);
  }

  #ignore(track: Track): void {
    this.#listening.get(track)?.();
    this.#listening.delete(track);
  }

  #played(samples: number): void {
    this.#untold += samples;
    if (this.#untold < TELL_EVERY && this.#voices.speaker.waiting > 0) return;
    this.#client.tell({ type: "played", samples: this.#untold });
    this.#untold = 0;
  }
}
