import type { StatusPacket } from "../../robot/servo/packet.ts";
import type { Clock } from "../clock.ts";

/** Answers of an exchange, in the order of the ids asked; undefined where none came in time. */
export type Answers = readonly (StatusPacket | undefined)[];

export interface Patience {
  /** Milliseconds until the first answer. */
  answerMs: number;
  /** Milliseconds of silence after an answer that end the wait for the others. */
  gapMs: number;
}

/**
 * One question on the bus and the wait for its answers. It ends when all have answered, when the last one asked has
 * (they answer in order, so whoever was skipped is lost), or when patience runs out.
 */
export class Exchange {
  readonly answers: Promise<Answers>;
  readonly #clock: Clock;
  readonly #ids: readonly number[];
  readonly #length: number;
  readonly #gapMs: number;
  readonly #got: (StatusPacket | undefined)[];
  #resolve: (answers: Answers) => void = () => undefined;
  #cancelTimer: () => void;

  /** @param length parameter bytes that an answer without error has; others of the same id are late answers */
  constructor(clock: Clock, ids: readonly number[], length: number, { answerMs, gapMs }: Patience) {
    this.#clock = clock;
    this.#ids = ids;
    this.#length = length;
    this.#gapMs = gapMs;
    this.#got = new Array(ids.length).fill(undefined);
    this.answers = new Promise((resolve) => {
      this.#resolve = resolve;
    });
    this.#cancelTimer = clock.after(answerMs, this.#lastTurn);
  }

  take(packet: StatusPacket): void {
    const index = this.#ids.indexOf(packet.id);
    const refused = (packet.error & 0x7f) !== 0;
    if (index < 0 || (!refused && packet.params.length !== this.#length)) return;
    this.#got[index] = packet;
    if (index === this.#ids.length - 1) {
      this.end();
      return;
    }
    this.#cancelTimer();
    this.#cancelTimer = this.#clock.after(this.#gapMs, this.#lastTurn);
  }

  /** Settles with what has come so far. */
  end = (): void => {
    this.#cancelTimer();
    this.#resolve(this.#got);
  };

  /** Timers run before input is read: after a stall of this process one more turn lets in what is already here. */
  #lastTurn = (): void => {
    this.#cancelTimer = this.#clock.after(0, this.end);
  };
}
