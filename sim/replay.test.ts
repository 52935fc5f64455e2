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
const GOLDEN_DIGEST = "13e077f0fea7c690cb9259fe280749bbe646ce91ba2dcdf0337b6653aa2f9925";

test("a run has the digest that was written down, on every machine", async () => {
  expect(await replayDigest({ seed: 1, seconds: 2 })).toBe(GOLDEN_DIGEST);
});
