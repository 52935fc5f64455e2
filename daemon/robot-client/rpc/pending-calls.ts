import type { Clock } from "../../../common/time/clock.ts";
import { WorkbenchError } from "../../../robot/wire/errors.ts";
import type { AnswerMessage } from "../messages.ts";

/** A call that got no answer: `robot-not-ready` when there is no process, `deadline-passed` when it was too slow. */
export class UnansweredCall extends WorkbenchError {}

interface PendingCall {
  resolve(value: unknown): void;
  reject(error: Error): void;
  cancelTimer(): void;
}

/** Calls that wait for their answer from another process, each with a deadline. */
export class PendingCalls {
  /** While this is true, no deadline passes. */
  isHeld = false;
  readonly #clock: Clock;
  readonly #pending = new Map<number, PendingCall>();
  #lastId = 0;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /**
   * Sends a call and waits for its answer.
   *
   * @param method its name, for people
   * @param send gets the id that the answer must have
   * @throws WorkbenchError the error of the answer, or an `UnansweredCall`
   * @throws Error what `send` throws
   */
  start(method: string, deadlineMs: number, send: (id: number) => void): Promise<unknown> {
    return new Promise((resolve, reject) => {
      const id = ++this.#lastId;
      const late = `The robot did not answer ${method} within ${deadlineMs / 1000} s.`;
      const expire = () => {
        if (this.isHeld) call.cancelTimer = this.#clock.after(deadlineMs, expire);
        else this.#take(id)?.reject(new UnansweredCall("deadline-passed", late));
      };
      const call = { resolve, reject, cancelTimer: this.#clock.after(deadlineMs, expire) };
      this.#pending.set(id, call);
      try {
        send(id);
      } catch (error) {
        this.#take(id);
        reject(error);
      }
    });
  }

  /** Settles the call that this answers; an answer after the deadline is ignored. */
  settle(answer: AnswerMessage): void {
    const call = this.#take(answer.id);
    if (answer.kind === "result") call?.resolve(answer.value);
    else call?.reject(new WorkbenchError(answer.code, answer.detail));
  }

  /** Rejects all calls that wait with `robot-not-ready`. */
  rejectAll(why: string): void {
    for (const id of [...this.#pending.keys()]) this.#take(id)?.reject(new UnansweredCall("robot-not-ready", why));
  }

  #take(id: number): PendingCall | undefined {
    const call = this.#pending.get(id);
    this.#pending.delete(id);
    call?.cancelTimer();
    return call;
  }
}
