import type { Merging } from "./merged-call.ts";
import type { AsyncMethodName, MethodArgs } from "./method-proxy.ts";

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
  readonly merging?: Merging<Args>;
  /**
   * For settings: the last call is repeated for each new process, see `KeptCalls`. While there is no process the call
   * succeeds, because the next one gets it.
   */
  readonly repeatForNewProcess?: boolean;
  /** Which calls without a result are answered in the message with the next state instead of one of their own. Default: none. */
  readonly isAnsweredWithState?: (...args: Args) => boolean;
}

/** Options by method; a method that is not listed has the defaults. */
export type CallTable<T> = { readonly [Name in AsyncMethodName<T>]?: CallOptions<MethodArgs<T, Name>> };
