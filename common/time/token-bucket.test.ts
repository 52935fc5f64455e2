import { expect, test } from "vitest";
import { TokenBucket } from "./token-bucket.ts";

test("a burst passes immediately, then the tokens of each second, and never more than a burst", () => {
  let now = 0;
  const bucket = new TokenBucket(3, 2, () => now);
  const taken = () => {
    let count = 0;
    while (bucket.take()) count += 1;
    return count;
  };
  expect(taken()).toBe(3);
  now = 499;
  expect(taken()).toBe(0);
  now = 500;
  expect(taken()).toBe(1);
  now = 1_000_000;
  expect(taken()).toBe(3);
});

test("several tokens are taken together or not at all", () => {
  const bucket = new TokenBucket(3, 1, () => 0);
  expect(bucket.take(4)).toBe(false);
  expect(bucket.tokens).toBe(3);
  expect(bucket.take(2)).toBe(true);
  expect(bucket.tokens).toBe(1);
});
