import type { Clock } from "../../../../common/time/clock.ts";
import type { StatusPacket } from "../../../../robot/servo/protocol/packet.ts";

/** Answers of an exchange, in the order of the requested ids; undefined where none came in time. */
export type Answers = readonly (StatusPacket | undefined)[];

export interface Timeouts {
  /** Milliseconds until the first answer. */
  answerMs: number;
  /** Milliseconds of silence after an answer that end the wait for the others. */
  gapMs: number;
}

/**
 * One request on the bus and the wait for its answers. It ends when the last requested servo has answered (they answer in
 * order, so an answer that was skipped is lost), or at a timeout.
 */
export class Exchange {
  readonly answers: Promise<Answers>;
  readonly #clock: Clock;
  readonly #ids: readonly number[];
  readonly #length: number;
  readonly #gapMs: number;
  readonly #received: (StatusPacket | undefined)[];
  #resolve: (answers: Answers) => void = () => undefined;
  #cancelTimer: () => void;

  /** @param length parameter bytes of an answer without error; an answer of the same id with another length belongs to an earlier exchange */
  constructor(clock: Clock, ids: readonly number[], length: number, { answerMs, gapMs }: Timeouts) {
    this.#clock = clock;
    this.#ids = ids;
    this.#length = length;
    this.#gapMs = gapMs;
    this.#received = new Array(ids.length).fill(undefined);
    this.answers = new Promise((resolve) => {
      this.#resolve = resolve;
    });
    this.#cancelTimer = clock.after(answerMs, this.#timeOut);
  }

  receive(packet: StatusPacket): void {
    const index = this.#ids.indexOf(packet.id);
    const refused = (packet.error & 0x7f) !== 0;
    if (index < 0 || (!refused && packet.params.length !== this.#length)) return;
    this.#received[index] = packet;
    if (index === this.#ids.length - 1) {
      this.end();
      return;
    }
    this.#cancelTimer();
    this.#cancelTimer = this.#clock.after(this.#gapMs, this.#timeOut);
  }

  /** Settles with the answers so far. */
  end = (): void => {
    this.#cancelTimer();
    this.#resolve(this.#received);
  };

  /** Timers run before input is read: after a stall of this process, one more turn lets in answers that have arrived. */
  #timeOut = (): void => {
    this.#cancelTimer = this.#clock.after(0, this.end);
  };
}
