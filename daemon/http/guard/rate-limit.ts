import type { IncomingMessage } from "node:http";
import { WorkbenchError } from "../../../robot/wire/errors.ts";
import { isLoopback } from "./host-names.ts";

/** Requests that a machine may send at once, and a second after that: far above any dashboard, far below a flood. */
const BURST = 400;
const PER_SECOND = 200;
/** Machines remembered; the one unheard of for the longest gives way. */
const MAX_ADDRESSES = 1000;

/** A token bucket for each machine of the network. This machine's own programs are not limited. */
export class RateLimit {
  readonly #buckets = new Map<string, { left: number; at: number }>();
  readonly #now: () => number;

  /** @param now milliseconds */
  constructor(now: () => number) {
    this.#now = now;
  }

  /** Counts a request of the network. Throws `too-many-requests`. */
  check({ socket: { remoteAddress = "" } }: IncomingMessage): void {
    // An IPv4 client of a socket that listens on `::` shows up as ::ffff:a.b.c.d.
    const address = remoteAddress.replace(/^::ffff:/, "");
    if (isLoopback(address)) return;
    const at = this.#now();
    const before = this.#buckets.get(address) ?? { left: BURST, at };
    const gained = Math.max(0, ((at - before.at) * PER_SECOND) / 1000);
    const left = Math.min(BURST, before.left + gained);
    const passes = left >= 1;
    this.#buckets.delete(address);
    this.#buckets.set(address, { left: passes ? left - 1 : left, at });
    if (this.#buckets.size > MAX_ADDRESSES) this.#buckets.delete(this.#buckets.keys().next().value ?? "");
    if (!passes)
      throw new WorkbenchError(
        "too-many-requests",
        `${address} sent more than ${PER_SECOND} requests a second; wait a second. For control loops there is /ws/sdk.`,
      );
  }
}
