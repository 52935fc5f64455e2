import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { expect, onTestFinished, test } from "vitest";
import { keyText } from "../catalogue-verdict.ts";
import { sampleCatalogueVerdict, sampleKey } from "../testing/sample-run.ts";
import { FolderStore } from "./folder-store.ts";

function newStore() {
  const folder = mkdtempSync(join(tmpdir(), "robot-store-test-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  return { folder, store: new FolderStore(folder) };
}

test("of many verdicts of one key that are put at the same time, one is kept, with its evidence", async () => {
  const { folder, store } = newStore();
  const verdicts = Array.from({ length: 20 }, (_, seed) => sampleCatalogueVerdict({ seed }));
  const kept = await Promise.all(
    verdicts.map((verdict) => store.put(verdict, { "evidence.txt": Buffer.from(String(verdict.seed)) })),
  );
  expect(kept.filter((isKept) => isKept)).toHaveLength(1);
  expect(await store.get(sampleKey())).toEqual(verdicts[kept.indexOf(true)]);
  expect(readdirSync(store.evidenceFolder(sampleKey())).sort()).toEqual(["evidence.txt", "record.json"]);
  expect(readdirSync(join(folder, "tmp"))).toEqual([]);
});

test("without a verdict there is none; a forgotten one can be put again", async () => {
  const { store } = newStore();
  expect(await store.get(sampleKey())).toBeNull();
  expect(await store.put(sampleCatalogueVerdict(), {})).toBe(true);
  await store.forget(sampleKey());
  expect(await store.get(sampleKey())).toBeNull();
  expect(await store.put(sampleCatalogueVerdict({ seed: 2 }), {})).toBe(true);
});

test("attempts are noted before they end, and are gone once there is a verdict", async () => {
  const { store } = newStore();
  const attempt = { worker: "a:1", job: null, startedAt: "2030-01-01T00:00:00.000Z", failure: null };
  const failure = { kind: "crash" as const, message: "ended with SIGKILL", output: "" };
  const first = await store.beginAttempt(sampleKey(), attempt);
  const second = await store.beginAttempt(sampleKey(), { ...attempt, startedAt: "2030-01-01T00:00:01.000Z" });
  await first.fail(failure);
  expect((await store.attempts(sampleKey())).map((each) => each.failure)).toEqual([failure, null]);
  await second.remove();
  expect(await store.attempts(sampleKey())).toHaveLength(1);
  expect(await store.attempts(sampleKey("b"))).toEqual([]);
  await store.put(sampleCatalogueVerdict(), {});
  expect(await store.attempts(sampleKey())).toEqual([]);
});

test("a key is a file name, and keys that differ in their digests or tiers have different ones", () => {
  fc.assert(
    fc.property(fc.string(), fc.constantFrom("short", "whole"), (suite, tier) => {
      const texts = ["a", "b"].map((digit) => keyText({ ...sampleKey(digit), suite, tier }));
      expect(new Set(texts).size).toBe(2);
      for (const text of texts) expect(text).toMatch(/^[\w.+-]+$/);
    }),
  );
});
