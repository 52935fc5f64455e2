import type { Clock } from "../../../common/time/clock.ts";
import type { AnswerMessage, CallMessage } from "../messages.ts";
import { MergedCall, type MergeOptions } from "./merged-call.ts";
import type { AsyncMethodName, CallMethod, MethodArgs } from "./method-proxy.ts";
import { PendingCalls, UnansweredCall } from "./pending-calls.ts";

/** Milliseconds until a call without an answer fails. */
export const DEFAULT_DEADLINE_MS = 5000;

/** How a method of an object in another process is called. */
interface CallOptions<Args extends readonly unknown[]> {
  /** Milliseconds until the call rejects with `deadline-passed`; 5000 when absent. */
  readonly deadlineMs?: number | ((...args: Args) => number);
  /**
   * For calls that may come faster than they are answered: some are sent, and those that are made before their answers are merged
   * into one that is sent next. Their promises settle as that of the merged call.
   */
  readonly merging?: MergeOptions<Args>;
  /**
   * For settings: the last call is repeated for each new process. While there is no process the call succeeds, because the next
   * one gets it.
   */
  readonly repeatForNewProcess?: boolean;
  /** Which calls without a result are answered in the message with the next state instead of one of their own. Default: none. */
  readonly isAnsweredWithState?: (...args: Args) => boolean;
}

/** Options by method; a method that is not listed has the defaults. */
export type CallTable<T> = { readonly [Name in AsyncMethodName<T>]?: CallOptions<MethodArgs<T, Name>> };

/** Calls methods of objects in another process. It survives that process: later calls go to its replacement. */
export class RpcClient {
  readonly #clock: Clock;
  readonly #pending: PendingCalls;
  /** The last call of each setting, to be repeated for each new process. */
  readonly #kept = new Map<string, () => Promise<unknown>>();
  readonly #merged = new Set<{ flush(): void }>();
  #post: ((message: CallMessage) => void) | undefined;
  #whyDisconnected = "The robot process has not been started.";

  constructor(clock: Clock) {
    this.#clock = clock;
    this.#pending = new PendingCalls(clock);
  }

  get isConnected(): boolean {
    return this.#post !== undefined;
  }

  /** Connects to a new process, repeats the last call of each setting, and sends it all later calls. */
  connect(post: (message: CallMessage) => void): void {
    this.#post = post;
    this.#pending.isHeld = false;
    for (const call of this.#kept.values()) call().catch(() => undefined);
  }

  /** Call when the process is lost: pending and later calls reject with `robot-not-ready` and this reason. */
  disconnect(why: string): void {
    this.#post = undefined;
    this.#whyDisconnected = why;
    this.#pending.rejectAll(why);
  }

  /** Holds the deadlines of pending calls, for example while simulated time is paused. */
  holdDeadlines(isHeld: boolean): void {
    this.#pending.isHeld = isHeld;
  }

  /** Takes an answer of the process. */
  receive(answer: AnswerMessage): void {
    this.#pending.settle(answer);
  }

  /**
   * The calls of one object in the other process. They reject as its methods do, or with an `UnansweredCall`.
   *
   * @param object its name on the channel
   */
  methodsOf<T>(object: string, table: CallTable<T>): CallMethod<T> {
    const merged: { [Name in AsyncMethodName<T>]?: MergedCall<MethodArgs<T, Name>> } = {};
    return (method, args) => {
      const {
        deadlineMs = DEFAULT_DEADLINE_MS,
        merging,
        repeatForNewProcess,
        isAnsweredWithState,
      } = table[method] ?? {};
      const send = (toSend: typeof args) => {
        const call = {
          object,
          method,
          args: toSend,
          ...(isAnsweredWithState?.(...toSend) && { isAnsweredWithState: true }),
        };
        return this.#send(call, typeof deadlineMs === "number" ? deadlineMs : deadlineMs(...toSend));
      };
      if (merging !== undefined) {
        const call = merged[method] ?? new MergedCall(send, merging, this.#clock);
        merged[method] = call;
        this.#merged.add(call);
        return call.start(args);
      }
      // Keeps the order: a call that waits there is older than this one.
      for (const call of this.#merged) call.flush();
      return repeatForNewProcess ? this.#keep(`${object}.${method}`, () => send(args)) : send(args);
    };
  }

  /** Makes the call of a setting and keeps it unless it is refused. A call without an answer succeeds. */
  async #keep(setting: string, call: () => Promise<unknown>): Promise<unknown> {
    const before = this.#kept.get(setting);
    this.#kept.set(setting, call);
    try {
      return await call();
    } catch (error) {
      if (error instanceof UnansweredCall) return undefined;
      const isNewest = this.#kept.get(setting) === call;
      if (isNewest && before === undefined) this.#kept.delete(setting);
      else if (isNewest && before !== undefined) this.#kept.set(setting, before);
      throw error;
    }
  }

  async #send(call: Omit<CallMessage, "kind" | "id">, deadlineMs: number): Promise<unknown> {
    const post = this.#post;
    if (post === undefined) throw new UnansweredCall("robot-not-ready", this.#whyDisconnected);
    return this.#pending.start(call.method, deadlineMs, (id) => post({ kind: "call", id, ...call }));
  }
}
