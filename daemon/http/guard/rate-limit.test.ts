import type { IncomingMessage } from "node:http";
import { expect, test } from "vitest";
import { RateLimit } from "./rate-limit.ts";

const from = (remoteAddress: string) => ({ socket: { remoteAddress } }) as IncomingMessage;

/** How many of `wanted` requests pass at once. */
function passing(limit: RateLimit, address: string, wanted: number): number {
  for (let count = 0; count < wanted; count += 1) {
    try {
      limit.check(from(address));
    } catch (error) {
      expect(error).toMatchObject({ code: "too-many-requests" });
      return count;
    }
  }
  return wanted;
}

test("a machine of the network may send 400 requests at once and 200 a second; others are not held up", () => {
  let now = 0;
  const limit = new RateLimit(() => now);
  expect(passing(limit, "10.0.0.1", 1000)).toBe(400);
  expect(passing(limit, "10.0.0.2", 10)).toBe(10);
  now += 500;
  expect(passing(limit, "10.0.0.1", 1000)).toBe(100);
  now += 60_000;
  expect(passing(limit, "10.0.0.1", 1000)).toBe(400);
  now -= 5000; // a clock that was set back
  expect(passing(limit, "10.0.0.1", 1000)).toBe(0);
});

test("a machine that does not let up still gets its 200 a second", () => {
  let now = 0;
  const limit = new RateLimit(() => now);
  let passed = -passing(limit, "10.0.0.1", 400);
  for (; now < 1000; now += 1) passed += passing(limit, "10.0.0.1", 2);
  expect(passed + 400).toBeGreaterThanOrEqual(198);
  expect(passed + 400).toBeLessThanOrEqual(200);
});

test.each(["127.0.0.1", "::1", "::ffff:127.0.0.1"])("programs of this machine (%s) are not limited", (address) => {
  expect(passing(new RateLimit(() => 0), address, 5000)).toBe(5000);
});

test("many machines do not make it grow without end: the one unheard of for the longest starts afresh", () => {
  const limit = new RateLimit(() => 0);
  expect(passing(limit, "10.0.0.1", 400)).toBe(400);
  for (let i = 0; i < 1000; i += 1) limit.check(from(`10.1.${i >> 8}.${i & 255}`));
  expect(passing(limit, "10.0.0.1", 400)).toBe(400);
});
