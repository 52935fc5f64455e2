import type { Merging } from "./merged-call.ts";
import type { AsyncMethodName, MethodArgs } from "./method-proxy.ts";

/** Milliseconds until a call without an answer fails. */
export const DEFAULT_DEADLINE_MS = 5000;

/** How a method of an object in another process is called. */
interface CallOptions<Args extends readonly unknown[]> {
  /** Milliseconds until the call rejects with `deadline-passed`; 5000 when absent. */
  readonly deadlineMs?: number | ((...args: Args) => number);
  /**
   * For calls that may come faster than they are answered: one is sent, and those that are made before its answer are merged
   * into one that is sent next. Their promises settle as that of the merged call.
   */
  readonly merging?: Merging<Args>;
  /**
   * For settings: the last call is repeated for each new process, see `KeptCalls`. While there is no process the call
   * succeeds, because the next one gets it.
   */
  readonly repeatForNewProcess?: boolean;
}

/** Options by method; a method that is not listed has the defaults. */
export type CallTable<T> = { readonly [Name in AsyncMethodName<T>]?: CallOptions<MethodArgs<T, Name>> };
