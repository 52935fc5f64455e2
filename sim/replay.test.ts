import { expect, test } from "vitest";
import { replayDigest } from "./replay.ts";

test("equal runs have equal digests, also across a restored snapshot; a longer run has another one", async () => {
  const digest = await replayDigest({ seed: 1, seconds: 1 });
  expect(digest).toMatch(/^[0-9a-f]{64}$/);
  expect(await replayDigest({ seed: 1, seconds: 1 })).toBe(digest);
  expect(await replayDigest({ seed: 1, seconds: 1, restores: true })).toBe(digest);
  expect(await replayDigest({ seed: 1, seconds: 1.01 })).not.toBe(digest);
});
