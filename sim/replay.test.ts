import { expect, test } from "vitest";
import { replayDigest } from "./replay.ts";

test("equal runs have equal digests, also across a restored snapshot; a longer run has another one", async () => {
  const digest = await replayDigest({ seed: 1, seconds: 1 });
  expect(digest).toMatch(/^[0-9a-f]{64}$/);
  expect(await replayDigest({ seed: 1, seconds: 1 })).toBe(digest);
  expect(await replayDigest({ seed: 1, seconds: 1, restores: true })).toBe(digest);
  expect(await replayDigest({ seed: 1, seconds: 1.01 })).not.toBe(digest);
});

/**
 * Of this engine version and this model. It changes with every change of the simulated motion: then check the motion,
 * and write down the new one.
 */
const GOLDEN_DIGEST = "7ecb8f332d25cc67e4d79bf542c89d2abe07732c4f702036eb8b015770b2f667";

test("a run has the digest that was written down, on every machine", async () => {
  expect(await replayDigest({ seed: 1, seconds: 2 })).toBe(GOLDEN_DIGEST);
});
