import type { Clock } from "../../../common/time/clock.ts";
import { SAMPLE_RATE } from "../../../robot/wire/audio/audio-frames.ts";
import { type AlsaOptions, AlsaProgram } from "./alsa-program.ts";

/** The device is released after this time without samples, milliseconds, so that other programs can use it. */
const IDLE_MS = 1000;
/** 100 ms of silence before the first sample cover late timers on a busy machine. */
const LEADING_SILENCE = new Int16Array(SAMPLE_RATE / 10);
/** Bytes that may wait for the device, half a second; further samples are dropped. */
const MAX_BUFFERED_BYTES = SAMPLE_RATE;

/** This machine's speaker: runs `aplay` while there is something to play. */
export class AlsaSpeaker {
  readonly #program: AlsaProgram;
  readonly #clock: Clock;
  #cancelIdleTimer: () => void = () => {};

  constructor(options: AlsaOptions) {
    this.#program = new AlsaProgram("aplay", options);
    this.#clock = options.clock;
  }

  play(samples: Int16Array): void {
    const child = this.#program.start((started) => started.stdin.write(toBytes(LEADING_SILENCE)));
    if (child === null || child.stdin.writableLength > MAX_BUFFERED_BYTES) return;
    child.stdin.write(toBytes(samples));
    this.#cancelIdleTimer();
    this.#cancelIdleTimer = this.#clock.after(IDLE_MS, () => this.#program.finish());
  }

  close(): void {
    this.#cancelIdleTimer();
    this.#program.kill();
  }
}

const toBytes = ({ buffer, byteOffset, byteLength }: Int16Array): Uint8Array =>
  new Uint8Array(buffer, byteOffset, byteLength);
