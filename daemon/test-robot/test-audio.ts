import type { Clock } from "../../common/time/clock.ts";
import { FRAME_SAMPLES, SAMPLE_RATE } from "../../robot/wire/audio/audio-frames.ts";
import { type AudioServerMessage, type AudioStatus, BuiltInSound } from "../../robot/wire/audio/audio-messages.ts";
import { WorkbenchError } from "../../robot/wire/errors.ts";
import { Microphone } from "../audio/capture/microphone.ts";
import { FrameTimer } from "../audio/playback/frame-timer.ts";
import { soundSamples } from "../audio/playback/sounds.ts";
import { applyVolume, type PlaybackQueue, Speaker } from "../audio/playback/speaker.ts";
import { Scope } from "../http/connections/scope.ts";
import { AudioSession, SPEAKER_CAPACITY } from "../http/sockets/audio/audio-session.ts";

interface TestAudioParts {
  clock: Clock;
  /** Takes a message to the app's audio socket: JSON, or samples in base64. */
  send(message: string): void;
  /** Takes what the speaker plays: 16-bit samples in base64. */
  onPlayed(samples: string): void;
}

/** Microphone and speaker of a robot in virtual time, and one session of the audio socket. */
export class TestAudio {
  readonly #parts: TestAudioParts;
  readonly #speaker: Speaker;
  readonly microphone: Microphone;
  /** Plays the built-in sounds that the REST interface starts. */
  readonly #builtInSounds: PlaybackQueue;
  /** Sounds that the microphone hears, with the number of samples after which they began. */
  #heard: { start: number; samples: Int16Array }[] = [];
  #session: { audio: AudioSession; scope: Scope } | null = null;

  constructor(parts: TestAudioParts) {
    this.#parts = parts;
    this.#speaker = new Speaker(parts.clock, 100);
    this.#speaker.listen((samples) => parts.onPlayed(toBase64(samples)));
    this.#builtInSounds = this.#speaker.openQueue(SPEAKER_CAPACITY);
    this.microphone = new Microphone({ start: (onSamples) => this.#record(onSamples) }, () => this.#sendStatus());
  }

  /** Lets the microphone hear a sound once, from now on. @param samples 16-bit samples in base64 */
  hear(samples: string): void {
    this.#heard.push({ start: this.#position, samples: fromBase64(samples) });
  }

  /** Plays a built-in sound; a built-in sound that is playing ends. */
  play(sound: BuiltInSound): void {
    this.#builtInSounds.clear();
    this.#builtInSounds.push(soundSamples(sound));
  }

  /** @param volume 0 to 100 */
  async setVolume(volume: number): Promise<void> {
    this.#speaker.volume = volume;
    this.#sendStatus();
  }

  /** @param volume 0 to 100 */
  async setMicrophoneVolume(volume: number): Promise<void> {
    this.microphone.volume = volume;
  }

  status(): AudioStatus {
    return {
      sample_rate: SAMPLE_RATE,
      channels: 1,
      volume: this.#speaker.volume,
      speaker: { kind: "device", name: "test", fault: null },
      microphone: { kind: "device", name: "test", fault: null, listeners: this.microphone.listeners },
      sounds: BuiltInSound.options,
    };
  }

  /** Takes what the app does with its audio socket: `#connect`, `#close`, a message in JSON, or a binary one in base64. */
  receive(message: string): void {
    if (message === "#connect") this.#connect();
    else if (message === "#close") this.disconnect();
    else if (message.startsWith("{")) this.#session?.audio.receive(Buffer.from(message), false);
    else this.#session?.audio.receive(Buffer.from(message, "base64"), true);
  }

  /** The app has lost its connection, or closed it: its sound ends. */
  disconnect(): void {
    this.#session?.scope.close();
    this.#session = null;
  }

  /** Samples since the clock's start. */
  get #position(): number {
    return Math.round((this.#parts.clock.now() * SAMPLE_RATE) / 1000);
  }

  #connect(): void {
    this.disconnect();
    const scope = new Scope();
    const audio = new AudioSession({
      audio: {
        speaker: this.#speaker,
        microphone: this.microphone,
        openMicrophoneFeed: () => {
          throw new WorkbenchError("bad-request", "The microphone of a test hears what the test lets it hear.");
        },
      },
      scope,
      send: (message) => this.#send(message),
      sendSamples: (bytes) => this.#parts.send(Buffer.from(bytes).toString("base64")),
    });
    this.#session = { audio, scope };
    this.#sendStatus();
  }

  #send(message: AudioServerMessage): void {
    this.#parts.send(JSON.stringify(message));
  }

  #sendStatus(): void {
    if (this.#session !== null) this.#send({ type: "status", room: SPEAKER_CAPACITY, ...this.status() });
  }

  /** Records until the returned function is called. */
  #record(onSamples: (samples: Int16Array) => void): () => void {
    const timer = new FrameTimer(this.#parts.clock, () => onSamples(this.#takeFrame()));
    timer.start();
    return () => timer.stop();
  }

  /** The sum of the sounds that the microphone has heard in the last frame of 20 ms. */
  #takeFrame(): Int16Array {
    const first = this.#position - FRAME_SAMPLES;
    this.#heard = this.#heard.filter(({ start, samples }) => start + samples.length > first);
    const sums = new Int32Array(FRAME_SAMPLES);
    for (const { start, samples } of this.#heard)
      for (let at = 0; at < FRAME_SAMPLES; at += 1) sums[at] = (sums[at] ?? 0) + (samples[first + at - start] ?? 0);
    return applyVolume(sums, 100);
  }
}

const toBase64 = ({ buffer, byteOffset, byteLength }: Int16Array): string =>
  Buffer.from(buffer, byteOffset, byteLength).toString("base64");

const fromBase64 = (text: string): Int16Array => {
  const bytes = Buffer.from(text, "base64");
  return new Int16Array(new Uint8Array(bytes).buffer, 0, bytes.length >> 1);
};
