import type { AudioSource } from "../capture/microphone.ts";
import { type AlsaOptions, AlsaProgram, RETRY_MS } from "./alsa-program.ts";

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
