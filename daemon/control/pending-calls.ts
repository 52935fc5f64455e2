import { WorkbenchError } from "../../robot/wire/errors.ts";
import type { Report } from "./messages.ts";

type Reply = Extract<Report, { number: number }>;

interface Pending {
  settle: (reply: Reply) => void;
  fail: (error: Error) => void;
}

/** Calls that wait for their answer from another process, each with a deadline. */
export class PendingCalls {
  readonly #pending = new Map<number, Pending>();
  #last = 0;
  #closed: string | undefined;

  /**
   * Sends a call and waits for its answer. Rejects as the other end does, with `deadline-passed`, or with
   * `robot-not-ready` when the other end is gone.
   *
   * @param what the call, for people
   */
  ask(what: string, deadlineMs: number, send: (number: number) => void): Promise<unknown> {
    return new Promise((resolve, reject) => {
      if (this.#closed !== undefined) throw new WorkbenchError("robot-not-ready", this.#closed);
      const number = ++this.#last;
      const late = `The robot did not answer ${what} within ${deadlineMs / 1000} s.`;
      const timer = setTimeout(() => fail(new WorkbenchError("deadline-passed", late)), deadlineMs);
      const done = (): void => {
        clearTimeout(timer);
        this.#pending.delete(number);
      };
      const fail = (error: Error): void => {
        done();
        reject(error);
      };
      const settle = (reply: Reply): void => {
        done();
        if (reply.kind === "answer") resolve(reply.value);
        else reject(new WorkbenchError(reply.code, reply.detail));
      };
      this.#pending.set(number, { settle, fail });
      send(number);
    });
  }

  settle(reply: Reply): void {
    this.#pending.get(reply.number)?.settle(reply);
  }

  /** Refuses what waits and what comes. */
  close(why: string): void {
    this.#closed = why;
    for (const { fail } of this.#pending.values()) fail(new WorkbenchError("robot-not-ready", why));
  }
}
