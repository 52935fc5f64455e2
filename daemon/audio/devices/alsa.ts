import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import type { Clock } from "../../../common/time/clock.ts";
import { SAMPLE_RATE } from "../../../robot/wire/audio/audio-frames.ts";
import type { AudioSource } from "../capture/microphone.ts";

interface AlsaOptions {
  /** As `aplay -L` and `arecord -L` name it, for example `default` or `plughw:1`. */
  device: string;
  env: Readonly<Record<string, string | undefined>>;
  clock: Clock;
  /** Gets the reason when the device stops working, and null when it works again. */
  onFault: (fault: string | null) => void;
}

/** A device that failed is tried again after this time, milliseconds. */
const RETRY_MS = 5000;

/** Arguments of both programs; aplay(1). */
const FORMAT = ["-q", "-t", "raw", "-f", "S16_LE", "-r", String(SAMPLE_RATE), "-c", "1", "-D"];
const MAX_STDERR_CHARACTERS = 1000;

/** Runs `aplay` or `arecord` on a device: starts it on demand, and after a failure not before `RETRY_MS` have passed. */
class AlsaProgram {
  readonly #name: "aplay" | "arecord";
  readonly #options: AlsaOptions;
  #child: ChildProcessWithoutNullStreams | null = null;
  #failedAt = Number.NEGATIVE_INFINITY;

  constructor(name: "aplay" | "arecord", options: AlsaOptions) {
    this.#name = name;
    this.#options = options;
  }

  /**
   * Returns the running program, or null when it failed less than `RETRY_MS` ago.
   * @param onStart gets a new process before the caller does
   * @param onFail called when the process ends with a failure
   */
  start(onStart: (child: ChildProcessWithoutNullStreams) => void, onFail: () => void = () => {}) {
    const { device, env, clock, onFault } = this.#options;
    if (this.#child !== null || clock.now() - this.#failedAt < RETRY_MS) return this.#child;
    const child = spawn(this.#name, [...FORMAT, device], { env: { ...env }, stdio: "pipe" });
    this.#child = child;
    let stderr = "";
    child.stderr.on("data", (text) => {
      stderr = (stderr + text).slice(-MAX_STDERR_CHARACTERS);
    });
    // The exit of the program says what went wrong; a write to a program that has exited says nothing more.
    child.stdin.on("error", () => {});
    let ended = false;
    const end = (reason: string | null): void => {
      if (ended || child.killed) return;
      ended = true;
      if (this.#child === child) this.#child = null;
      onFault(reason);
      if (reason === null) return;
      this.#failedAt = clock.now();
      onFail();
    };
    child.on("error", ({ code }: NodeJS.ErrnoException) => {
      const missing = `${this.#name} is missing; install the package alsa-utils.`;
      end(code === "ENOENT" ? missing : `${this.#name} cannot be started (${code}).`);
    });
    child.on("close", (code) => {
      const help = "name another device (-L lists them) with --audio-device.";
      const reason = lastLine(stderr) || `exit code ${code}`;
      end(code === 0 ? null : `${this.#name} -D ${device}: ${reason}; ${help}`);
    });
    onStart(child);
    return child;
  }

  /** Kills the program; what it has not played yet is lost. */
  kill(): void {
    const child = this.#child;
    this.#child = null;
    child?.kill("SIGKILL");
  }

  /** Ends the program's input, so that it exits when it has played everything. */
  finish(): void {
    const child = this.#child;
    this.#child = null;
    child?.stdin.end();
  }
}

/** The last line is the program's own message without its source position; the lines before come from the library. */
const lastLine = (stderr: string): string =>
  stderr
    .trim()
    .split("\n")
    .at(-1)
    ?.replace(/^\w+: \w+:\d+: /, "") ?? "";

/** This machine's microphone: runs `arecord` while it is started. */
export class AlsaMicrophone implements AudioSource {
  readonly #options: AlsaOptions;

  constructor(options: AlsaOptions) {
    this.#options = options;
  }

  start(onSamples: (samples: Int16Array) => void): () => void {
    const program = new AlsaProgram("arecord", this.#options);
    let cancelRetry = (): void => {};
    const record = (): void => {
      let oddByte = Buffer.alloc(0);
      program.start(
        (child) => {
          child.stdout.on("data", (chunk: Buffer) => {
            this.#options.onFault(null);
            const bytes = Buffer.concat([oddByte, chunk]);
            const evenLength = bytes.length - (bytes.length % 2);
            oddByte = bytes.subarray(evenLength);
            onSamples(new Int16Array(new Uint8Array(bytes.subarray(0, evenLength)).buffer));
          });
        },
        () => {
          cancelRetry = this.#options.clock.after(RETRY_MS, record);
        },
      );
    };
    record();
    return () => {
      cancelRetry();
      program.kill();
    };
  }
}

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
