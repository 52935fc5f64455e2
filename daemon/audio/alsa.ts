import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import { SAMPLE_RATE } from "../../robot/wire/audio-frames.ts";
import type { Clock } from "../clock.ts";
import type { Ear } from "./microphone.ts";

export interface AlsaOptions {
  /** As `aplay -L` and `arecord -L` name it, for example `default` or `plughw:1`. */
  device: string;
  env: Readonly<Record<string, string | undefined>>;
  clock: Clock;
  /** Told why nothing is heard, once for each reason, and null when it works again. */
  onFault: (fault: string | null) => void;
}

/** How soon a device that failed is tried again, milliseconds. */
const RETRY_MS = 5000;
/** The speaker's device is let go of when nothing was played for so long, milliseconds: others may want it. */
const IDLE_MS = 1000;
/** 100 ms of silence before the first sample, for the timers of a busy machine. */
const HEAD_START = new Int16Array(SAMPLE_RATE / 10);
/** What may wait for the device (half a second, bytes) before samples are left out. */
const MAX_WAITING = SAMPLE_RATE;

/** Arguments of both programs; aplay(1). */
const FORMAT = ["-q", "-t", "raw", "-f", "S16_LE", "-r", String(SAMPLE_RATE), "-c", "1", "-D"];

/** One of ALSA's programs on a device, started when it is needed and again, at most every five seconds, when it failed. */
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
   * The running program, or null when it failed just before.
   * @param onStart gets a fresh one before anybody else
   * @param onFail told when it ended in failure
   */
  start(onStart: (child: ChildProcessWithoutNullStreams) => void, onFail: () => void = () => {}) {
    const { device, env, clock, onFault } = this.#options;
    if (this.#child !== null || clock.now() - this.#failedAt < RETRY_MS) return this.#child;
    const child = spawn(this.#name, [...FORMAT, device], { env: { ...env }, stdio: "pipe" });
    this.#child = child;
    let said = "";
    child.stderr.on("data", (text) => {
      said = (said + text).slice(-1000);
    });
    // A program that has ended tells so by its exit; writing to it is no fault of its own.
    child.stdin.on("error", () => {});
    let over = false;
    const end = (why: string | null): void => {
      if (over || child.killed) return;
      over = true;
      if (this.#child === child) this.#child = null;
      onFault(why);
      if (why === null) return;
      this.#failedAt = clock.now();
      onFail();
    };
    child.on("error", ({ code }: NodeJS.ErrnoException) => {
      const missing = `${this.#name} is missing; install the package alsa-utils.`;
      end(code === "ENOENT" ? missing : `${this.#name} cannot be started (${code}).`);
    });
    child.on("close", (code) => {
      // The last line is the program's own; those before are the library's way there.
      const reason =
        said
          .trim()
          .split("\n")
          .at(-1)
          ?.replace(/^\w+: \w+:\d+: /, "") || `exit code ${code}`;
      const help = "name another device (-L lists them) with --audio-device.";
      end(code === 0 ? null : `${this.#name} -D ${device}: ${reason}; ${help}`);
    });
    onStart(child);
    return child;
  }

  /** Ends the program; what it has left to do is dropped. */
  kill(): void {
    const child = this.#child;
    this.#child = null;
    child?.kill("SIGKILL");
  }

  /** Lets the program finish. */
  finish(): void {
    const child = this.#child;
    this.#child = null;
    child?.stdin.end();
  }
}

/** The speaker of this machine: `aplay` while there is something to play. */
export class AlsaSpeaker {
  readonly #program: AlsaProgram;
  readonly #clock: Clock;
  #rest: () => void = () => {};

  constructor(options: AlsaOptions) {
    this.#program = new AlsaProgram("aplay", options);
    this.#clock = options.clock;
  }

  play(samples: Int16Array): void {
    const child = this.#program.start((fresh) => fresh.stdin.write(bytesOf(HEAD_START)));
    if (child === null || child.stdin.writableLength > MAX_WAITING) return;
    child.stdin.write(bytesOf(samples));
    this.#rest();
    this.#rest = this.#clock.after(IDLE_MS, () => this.#program.finish());
  }

  close(): void {
    this.#rest();
    this.#program.kill();
  }
}

/** The microphone of this machine: `arecord` while somebody listens. */
export class AlsaMicrophone implements Ear {
  readonly #options: AlsaOptions;

  constructor(options: AlsaOptions) {
    this.#options = options;
  }

  start(hear: (samples: Int16Array) => void): () => void {
    const program = new AlsaProgram("arecord", this.#options);
    let retry = (): void => {};
    const record = (): void => {
      let odd = Buffer.alloc(0);
      program.start(
        (child) => {
          child.stdout.on("data", (chunk: Buffer) => {
            this.#options.onFault(null);
            const bytes = Buffer.concat([odd, chunk]);
            const even = bytes.length - (bytes.length % 2);
            odd = bytes.subarray(even);
            hear(new Int16Array(new Uint8Array(bytes.subarray(0, even)).buffer));
          });
        },
        () => {
          retry = this.#options.clock.after(RETRY_MS, record);
        },
      );
    };
    record();
    return () => {
      retry();
      program.kill();
    };
  }
}

const bytesOf = ({ buffer, byteOffset, byteLength }: Int16Array): Uint8Array =>
  new Uint8Array(buffer, byteOffset, byteLength);
