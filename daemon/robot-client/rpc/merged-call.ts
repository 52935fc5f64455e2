import { type Clock, sleep } from "../../../common/time/clock.ts";

interface WaitingCall<Args> {
  args: Args;
  readonly answer: Promise<unknown>;
  readonly settleAs: (answer: Promise<unknown>) => void;
}

/** How calls are merged. */
export interface Merging<Args> {
  merge(older: Args, newer: Args): Args;
  /** Minimum milliseconds from one call to the next, so that a caller that never pauses leaves room for others; default 0. */
  intervalMs?: number;
}

/**
 * Calls of a method that may come faster than they are answered. One call is on its way; those that are made meanwhile are
 * merged into one that waits until that is answered and its interval has passed. However often the method is called, nothing
 * queues up. Calls that are merged get the same promise.
 */
export class MergedCall<Args> {
  readonly #send: (args: Args) => Promise<unknown>;
  readonly #merging: Merging<Args>;
  readonly #clock: Clock;
  #unanswered = 0;
  #waiting: WaitingCall<Args> | undefined;

  constructor(send: (args: Args) => Promise<unknown>, merging: Merging<Args>, clock: Clock) {
    this.#send = send;
    this.#merging = merging;
    this.#clock = clock;
  }

  /** Settles as the call does, or as the one that it was merged into. */
  start(args: Args): Promise<unknown> {
    if (this.#unanswered === 0) return this.#sendNow(args);
    if (this.#waiting === undefined) this.#waiting = waitingCall(args);
    else this.#waiting.args = this.#merging.merge(this.#waiting.args, args);
    return this.#waiting.answer;
  }

  /** Sends the call that waits, so that another call can follow it in order. */
  flush(): void {
    const waiting = this.#waiting;
    this.#waiting = undefined;
    if (waiting !== undefined) waiting.settleAs(this.#sendNow(waiting.args));
  }

  #sendNow(args: Args): Promise<unknown> {
    this.#unanswered++;
    const answer = this.#send(args);
    const { intervalMs = 0 } = this.#merging;
    const interval = intervalMs > 0 ? sleep(this.#clock, intervalMs) : undefined;
    void Promise.allSettled([answer, interval]).then(() => {
      this.#unanswered--;
      if (this.#unanswered === 0) this.flush();
    });
    return answer;
  }
}

function waitingCall<Args>(args: Args): WaitingCall<Args> {
  let settleAs: WaitingCall<Args>["settleAs"] = () => undefined;
  const answer = new Promise((resolve) => {
    settleAs = resolve;
  });
  return { args, answer, settleAs };
}
