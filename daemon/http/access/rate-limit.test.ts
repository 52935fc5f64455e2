import type { IncomingMessage } from "node:http";
import { expect, test } from "vitest";
import { RateLimit } from "./rate-limit.ts";

const from = (remoteAddress: string) => ({ socket: { remoteAddress } }) as IncomingMessage;

/** Sends `total` requests at the same time; returns how many pass. */
function countPassed(limit: RateLimit, address: string, total: number): number {
  for (let count = 0; count < total; count += 1) {
    try {
      limit.check(from(address));
    } catch (error) {
      expect(error).toMatchObject({ code: "too-many-requests" });
      return count;
    }
  }
  return total;
}

test("an address may send a burst of 400 requests and then 200 per second; other addresses are unaffected", () => {
  let now = 0;
  const limit = new RateLimit(() => now);
  expect(countPassed(limit, "10.0.0.1", 1000)).toBe(400);
  expect(countPassed(limit, "10.0.0.2", 10)).toBe(10);
  now += 500;
  expect(countPassed(limit, "10.0.0.1", 1000)).toBe(100);
  now += 60_000;
  expect(countPassed(limit, "10.0.0.1", 1000)).toBe(400);
  now -= 5000; // a clock that was set back
  expect(countPassed(limit, "10.0.0.1", 1000)).toBe(0);
});

test("an address that keeps sending still gets 200 requests per second", () => {
  let now = 0;
  const limit = new RateLimit(() => now);
  let passed = -countPassed(limit, "10.0.0.1", 400);
  for (; now < 1000; now += 1) passed += countPassed(limit, "10.0.0.1", 2);
  expect(passed + 400).toBeGreaterThanOrEqual(198);
  expect(passed + 400).toBeLessThanOrEqual(200);
});

test.each(["127.0.0.1", "::1", "::ffff:127.0.0.1"])("requests from this machine (%s) are not limited", (address) => {
  expect(countPassed(new RateLimit(() => 0), address, 5000)).toBe(5000);
});

test("memory is bounded: the least recently seen address is forgotten", () => {
  const limit = new RateLimit(() => 0);
  expect(countPassed(limit, "10.0.0.1", 400)).toBe(400);
  for (let i = 0; i < 1000; i += 1) limit.check(from(`10.1.${i >> 8}.${i & 255}`));
  expect(countPassed(limit, "10.0.0.1", 400)).toBe(400);
});
