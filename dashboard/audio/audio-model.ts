import { type Signal, signal } from "@preact/signals";
import { Emitter } from "../../common/emitter.ts";
import { LatestSender } from "../../common/latest-sender.ts";
import { decodeAudio } from "../../robot/wire/audio/audio-frames.ts";
import type { AudioClientMessage, AudioServerMessage, AudioStatus } from "../../robot/wire/audio/audio-messages.ts";
import type { Client } from "../connection/client.ts";
import type { Toasts } from "../shell/toasts.ts";

interface AudioModelOptions {
  client: Client;
  toasts: Toasts;
  send(message: AudioClientMessage): void;
  sendMicrophone(samples: Int16Array): void;
  /** Called in response to a click, without which browsers stay silent. */
  openSpeaker(): { play(samples: Int16Array): void; close(): void };
  /** @returns a function that closes the microphone */
  openMicrophone(onSamples: (samples: Int16Array) => void): Promise<() => void>;
}

/** Decibels below full scale that count as silence. */
const SILENCE_DB = -54;

/** Loudness of samples, 0 (silent) to 1 (full scale), linear in decibels of their root mean square. */
export function loudnessOf(samples: Int16Array): number {
  const power = samples.reduce((sum, sample) => sum + (sample / 32_768) ** 2, 0) / Math.max(1, samples.length);
  return Math.min(1, Math.max(0, 1 - (10 * Math.log10(power)) / SILENCE_DB));
}

/** The robot's speaker and microphone, and this machine's that the page lends to it. */
export class AudioModel {
  /** Null until the daemon has sent it. */
  readonly status: Signal<AudioStatus | null> = signal(null);
  /** Whether the robot's speaker also plays on this machine. */
  readonly speakerOn = signal(false);
  /** Whether the robot hears this machine's microphone. */
  readonly microphone: Signal<"off" | "opening" | "on"> = signal("off");
  /** 0 to 100. */
  readonly volume = signal(0);
  /** How loud the robot's speaker is, 0 to 1, 50 times a second while it plays. */
  readonly loudness = new Emitter<number>();
  readonly #options: AudioModelOptions;
  #speaker: ReturnType<AudioModelOptions["openSpeaker"]> | null = null;
  #closeMicrophone: (() => void) | null = null;
  readonly #volumes: LatestSender<number>;

  constructor(options: AudioModelOptions) {
    this.#options = options;
    this.#volumes = new LatestSender((volume) => options.client.post("/api/volume/set", { volume }));
  }

  /** Requests what this page needs on a new socket. */
  opened(): void {
    this.#options.send({ type: "listen", track: "speaker", on: true });
    if (this.microphone.peek() === "on") this.#options.send({ type: "lend_microphone", on: true });
  }

  /** Takes a message of the socket: text, or samples that the robot's speaker plays. */
  receive(data: string | ArrayBuffer): void {
    if (typeof data === "string") this.message(JSON.parse(data) as AudioServerMessage);
    else this.speaker(decodeAudio(new Uint8Array(data)).samples);
  }

  message(message: AudioServerMessage): void {
    if (message.type === "error") this.#options.toasts.show("error", message.detail);
    if (message.type !== "status") return;
    this.status.value = message;
    if (!this.#volumes.isSending) this.volume.value = message.volume;
  }

  speaker(samples: Int16Array): void {
    this.#speaker?.play(samples);
    this.loudness.emit(loudnessOf(samples));
  }

  toggleSpeaker(): void {
    this.#speaker?.close();
    this.#speaker = this.#speaker === null ? this.#options.openSpeaker() : null;
    this.speakerOn.value = this.#speaker !== null;
  }

  async toggleMicrophone(): Promise<void> {
    if (this.microphone.value === "opening") return;
    if (this.microphone.value === "on") {
      this.#closeMicrophone?.();
      this.#options.send({ type: "lend_microphone", on: false });
      this.microphone.value = "off";
      return;
    }
    this.microphone.value = "opening";
    try {
      this.#closeMicrophone = await this.#options.openMicrophone((samples) => {
        // Samples stay on this machine unless an app records.
        if (this.status.peek()?.microphone.listeners) this.#options.sendMicrophone(samples);
      });
      this.#options.send({ type: "lend_microphone", on: true });
      this.microphone.value = "on";
    } catch (error) {
      this.microphone.value = "off";
      this.#options.toasts.report(error);
    }
  }

  /** Sets the volume, 0 to 100. */
  async setVolume(volume: number): Promise<void> {
    this.volume.value = volume;
    try {
      await this.#volumes.send(volume);
    } catch (error) {
      this.volume.value = this.status.peek()?.volume ?? volume;
      this.#options.toasts.report(error);
    }
  }

  playTestSound(): void {
    this.#options.client.post("/api/volume/test-sound").catch(this.#options.toasts.report);
  }
}
