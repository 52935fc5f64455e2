import type { IncomingMessage } from "node:http";
import { TokenBucket } from "../../../common/time/token-bucket.ts";
import { WorkbenchError } from "../../../robot/wire/errors.ts";
import { clientKey, LOOPBACK } from "../connections/client-key.ts";

/** Requests that an address may send in a burst, and per second after that; far more than any page needs. */
const BURST = 400;
const PER_SECOND = 200;
/** Addresses with a counter; beyond that, the least recently seen address is forgotten. */
const MAX_ADDRESSES = 1000;

/** Limits the requests of each address of the network. Programs of this machine are not limited. */
export class RateLimit {
  readonly #buckets = new Map<string, TokenBucket>();
  readonly #now: () => number;

  /** @param now milliseconds of a clock that only goes forward */
  constructor(now: () => number) {
    this.#now = now;
  }

  /**
   * Counts a request.
   * @throws WorkbenchError `too-many-requests`
   */
  check({ socket }: IncomingMessage): void {
    const address = clientKey(socket);
    if (address === LOOPBACK) return;
    const bucket = this.#buckets.get(address) ?? new TokenBucket(BURST, PER_SECOND, this.#now);
    this.#buckets.delete(address);
    this.#buckets.set(address, bucket);
    if (this.#buckets.size > MAX_ADDRESSES) this.#buckets.delete(this.#buckets.keys().next().value ?? "");
    if (!bucket.take())
      throw new WorkbenchError(
        "too-many-requests",
        `${address} sent more than ${PER_SECOND} requests per second; wait a second. Control loops use /ws/sdk.`,
      );
  }
}
