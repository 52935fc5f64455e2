import type { Clock } from "../../../common/time/clock.ts";

interface WaitingCall<Args> {
  args: Args;
  readonly answer: Promise<unknown>;
  readonly settleAs: (answer: Promise<unknown>) => void;
}

/** How calls are merged. */
export interface MergeOptions<Args> {
  merge(older: Args, newer: Args): Args;
  /** Minimum milliseconds from one call to the next, so that a caller that never pauses leaves room for others; default 0. */
  intervalMs?: number;
  /** Maximum number of calls on their way; default 1. */
  maxUnanswered?: number;
}

/**
 * Calls of a method that may come faster than they are answered. A call is sent at once when few enough others are on their way
 * and the interval has passed. Those that are made before are merged into one that waits. However often the method is called,
 * nothing queues up. Calls that are merged get the same promise.
 */
export class MergedCall<Args> {
  readonly #send: (args: Args) => Promise<unknown>;
  readonly #merge: MergeOptions<Args>["merge"];
  readonly #intervalMs: number;
  readonly #maxUnanswered: number;
  readonly #clock: Clock;
  #unanswered = 0;
  #sentAt = Number.NEGATIVE_INFINITY;
  #waiting: WaitingCall<Args> | undefined;
  #cancelTimer = () => {};

  constructor(send: (args: Args) => Promise<unknown>, merging: MergeOptions<Args>, clock: Clock) {
    const { merge, intervalMs = 0, maxUnanswered = 1 } = merging;
    this.#send = send;
    this.#merge = merge;
    this.#intervalMs = intervalMs;
    this.#maxUnanswered = maxUnanswered;
    this.#clock = clock;
  }

  /** Settles as the call does, or as the one that it was merged into. */
  start(args: Args): Promise<unknown> {
    const waiting = this.#waiting;
    if (waiting !== undefined) {
      waiting.args = this.#merge(waiting.args, args);
      return waiting.answer;
    }
    if (this.#unanswered < this.#maxUnanswered && this.#intervalLeft <= 0) return this.#sendNow(args);
    const call = waitingCall(args);
    this.#waiting = call;
    this.#sendWhenDue();
    return call.answer;
  }

  /** Sends the call that waits, so that another call can follow it in order. */
  flush(): void {
    const waiting = this.#waiting;
    if (waiting === undefined) return;
    this.#waiting = undefined;
    this.#cancelTimer();
    waiting.settleAs(this.#sendNow(waiting.args));
  }

  /** Milliseconds. */
  get #intervalLeft(): number {
    return this.#sentAt + this.#intervalMs - this.#clock.now();
  }

  #sendNow(args: Args): Promise<unknown> {
    this.#unanswered++;
    this.#sentAt = this.#clock.now();
    const answer = this.#send(args);
    const onAnswer = (): void => {
      this.#unanswered--;
      this.#sendWhenDue();
    };
    answer.then(onAnswer, onAnswer);
    return answer;
  }

  #sendWhenDue(): void {
    if (this.#waiting === undefined || this.#unanswered >= this.#maxUnanswered) return;
    const left = this.#intervalLeft;
    this.#cancelTimer();
    if (left <= 0) this.flush();
    else this.#cancelTimer = this.#clock.after(left, () => this.#sendWhenDue());
  }
}

function waitingCall<Args>(args: Args): WaitingCall<Args> {
  let settleAs: WaitingCall<Args>["settleAs"] = () => undefined;
  const answer = new Promise((resolve) => {
    settleAs = resolve;
  });
  return { args, answer, settleAs };
}
