import { expect, test } from "vitest";
import { replayDigest } from "./replay.ts";

test("a digest is that of the run: the same again, also over a snapshot; another for another length", async () => {
  const digest = await replayDigest({ seed: 1, seconds: 1 });
  expect(digest).toMatch(/^[0-9a-f]{64}$/);
  expect(await replayDigest({ seed: 1, seconds: 1 })).toBe(digest);
  expect(await replayDigest({ seed: 1, seconds: 1, restores: true })).toBe(digest);
  expect(await replayDigest({ seed: 1, seconds: 1.01 })).not.toBe(digest);
});
