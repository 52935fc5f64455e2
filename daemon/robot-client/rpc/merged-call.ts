interface WaitingCall<Args> {
  args: Args;
  readonly answer: Promise<unknown>;
  readonly settleAs: (answer: Promise<unknown>) => void;
}

/**
 * Calls of a method that may come faster than they are answered. One call is on its way; those that are made meanwhile are
 * merged into one that waits until that is answered. However often the method is called, nothing queues up. Every caller
 * gets an answer; a source that needs none merges its own calls first (`TargetQueue`).
 */
export class MergedCall<Args> {
  readonly #send: (args: Args) => Promise<unknown>;
  readonly #merge: (older: Args, newer: Args) => Args;
  #unanswered = 0;
  #waiting: WaitingCall<Args> | undefined;

  constructor(send: (args: Args) => Promise<unknown>, merge: (older: Args, newer: Args) => Args) {
    this.#send = send;
    this.#merge = merge;
  }

  /** Settles as the call does, or as the one that it was merged into. */
  start(args: Args): Promise<unknown> {
    if (this.#unanswered === 0) return this.#sendNow(args);
    if (this.#waiting === undefined) this.#waiting = waitingCall(args);
    else this.#waiting.args = this.#merge(this.#waiting.args, args);
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
    const answered = (): void => {
      this.#unanswered--;
      if (this.#unanswered === 0) this.flush();
    };
    answer.then(answered, answered);
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
