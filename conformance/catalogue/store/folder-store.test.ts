import { readdirSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { expect, test } from "vitest";
import { temporaryFolder } from "../../../common/testing/temporary-folder.ts";
import { keyText } from "../catalogue-verdict.ts";
import { sampleCatalogueVerdict, sampleKey } from "../testing/sample-run.ts";
import { testVerdictStore } from "../testing/store-tests.ts";
import { FolderStore } from "./folder-store.ts";

function newStore() {
  const folder = temporaryFolder("robot-store-test-");
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

testVerdictStore(() => newStore().store);

test("a key is a file name, and keys that differ in their digests or tiers have different ones", () => {
  fc.assert(
    fc.property(fc.string(), fc.constantFrom("short", "whole"), (suite, tier) => {
      const texts = ["a", "b"].map((digit) => keyText({ ...sampleKey(digit), suite, tier }));
      expect(new Set(texts).size).toBe(2);
      for (const text of texts) expect(text).toMatch(/^[\w.+-]+$/);
    }),
  );
});
