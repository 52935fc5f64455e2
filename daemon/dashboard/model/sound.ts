import { type Signal, signal } from "@preact/signals";
import type { AudioClientMessage, AudioServerMessage, AudioStatus } from "../../../robot/wire/audio-messages.ts";
import type { Client } from "../link/client.ts";
import type { Toasts } from "./toasts.ts";

/** What sounds, and what hears, on this side of the socket. */
export interface SoundParts {
  client: Client;
  toasts: Toasts;
  say(message: AudioClientMessage): void;
  hear(samples: Int16Array): void;
  /** Called in answer to a click, without which browsers stay silent. */
  openSpeaker(): { play(samples: Int16Array): void; close(): void };
  openMicrophone(hear: (samples: Int16Array) => void): Promise<() => void>;
}

/** Quieter than this, decibels below full scale, shows as silence. */
const FLOOR_DB = -54;

/** Loudness of samples as 0 (silent) to 1 (full scale), by decibels of their root mean square. */
export function loudnessOf(samples: Int16Array): number {
  const power = samples.reduce((sum, sample) => sum + (sample / 32_768) ** 2, 0) / Math.max(1, samples.length);
  return Math.min(1, Math.max(0, 1 - (10 * Math.log10(power)) / FLOOR_DB));
}

/** What the page knows of the robot's voice and ear, and lends to it. */
export class SoundModel {
  /** Null until the daemon has told. */
  readonly status: Signal<AudioStatus | null> = signal(null);
  readonly speakerOn = signal(false);
  readonly microphone: Signal<"off" | "opening" | "on"> = signal("off");
  readonly volume = signal(0);
  readonly #parts: SoundParts;
  readonly #listeners = new Set<(loudness: number) => void>();
  #speaker: ReturnType<SoundParts["openSpeaker"]> | null = null;
  #closeMicrophone: (() => void) | null = null;
  /** The volume that waits for the answer to the one before. */
  #next: number | null = null;
  #setting = false;

  constructor(parts: SoundParts) {
    this.#parts = parts;
  }

  /** Asks a fresh socket for what this page wants. */
  opened(): void {
    this.#parts.say({ type: "listen", track: "speaker", on: true });
    if (this.microphone.peek() === "on") this.#parts.say({ type: "lend_microphone", on: true });
  }

  told(message: AudioServerMessage): void {
    if (message.type === "error") this.#parts.toasts.show("error", message.detail);
    if (message.type !== "status") return;
    this.status.value = message;
    if (!this.#setting) this.volume.value = message.volume;
  }

  played(samples: Int16Array): void {
    this.#speaker?.play(samples);
    const loudness = loudnessOf(samples);
    for (const listener of this.#listeners) listener(loudness);
  }

  /** Told how loud the speaker is, 0 to 1, 50 times a second while it plays, whether it is on here or not. */
  onLoudness(listener: (loudness: number) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  toggleSpeaker(): void {
    this.#speaker?.close();
    this.#speaker = this.#speaker === null ? this.#parts.openSpeaker() : null;
    this.speakerOn.value = this.#speaker !== null;
  }

  async toggleMicrophone(): Promise<void> {
    if (this.microphone.value === "opening") return;
    if (this.microphone.value === "on") {
      this.#closeMicrophone?.();
      this.#parts.say({ type: "lend_microphone", on: false });
      this.microphone.value = "off";
      return;
    }
    this.microphone.value = "opening";
    try {
      this.#closeMicrophone = await this.#parts.openMicrophone((samples) => {
        // Nobody's business while no app listens.
        if (this.status.peek()?.microphone.listeners) this.#parts.hear(samples);
      });
      this.#parts.say({ type: "lend_microphone", on: true });
      this.microphone.value = "on";
    } catch (error) {
      this.microphone.value = "off";
      this.#parts.toasts.report(error);
    }
  }

  /** Sets the volume, 0 to 100. While a slider is dragged, only the newest place counts. */
  async setVolume(volume: number): Promise<void> {
    this.volume.value = volume;
    this.#next = volume;
    if (this.#setting) return;
    this.#setting = true;
    try {
      while (this.#next !== null) {
        const wanted = this.#next;
        this.#next = null;
        await this.#parts.client.post("/api/volume/set", { volume: wanted });
      }
    } catch (error) {
      this.#next = null;
      this.volume.value = this.status.peek()?.volume ?? volume;
      this.#parts.toasts.report(error);
    }
    this.#setting = false;
  }

  testSound(): void {
    this.#parts.client.post("/api/volume/test-sound").catch(this.#parts.toasts.report);
  }
}
