import type { Merging } from "./merged-call.ts";
import type { AsyncMethodName, MethodArgs } from "./method-proxy.ts";

/** Milliseconds until a call without an answer fails. */
export const DEFAULT_DEADLINE_MS = 5000;

/** How a method of an object in another process is called. */
interface CallOptions<Args extends readonly unknown[]> {
  /** Milliseconds until the call rejects with `deadline-passed`; 5000 when absent. */
  readonly deadlineMs?: number | ((...args: Args) => number);
  /**
   * For calls that may come faster than they are answered: one is on its way, and those that are made meanwhile are merged
   * into one that waits. Their promises settle as that of the merged call.
   */
  readonly merging?: Merging<Args>;
  /**
   * The last arguments are kept and given to each new process. Such a call does not fail because there is no process at
   * the moment.
   */
  readonly keep?: boolean;
}

/** Options of the methods that need other ones than the default. */
export type CallTable<T> = { readonly [Name in AsyncMethodName<T>]?: CallOptions<MethodArgs<T, Name>> };
