import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { expect, test } from "vitest";
import { temporaryFolder } from "../../../common/testing/temporary-folder.ts";
import { keyText } from "../catalogue-verdict.ts";
import { exampleCatalogueVerdict, exampleKey } from "../testing/example-run.ts";
import { testVerdictStore } from "../testing/store-tests.ts";
import { FolderObjects } from "./folder-objects.ts";
import { VerdictStore } from "./verdict-store.ts";

function newStore() {
  const folder = temporaryFolder("robot-store-test-");
  return { folder, store: new VerdictStore(new FolderObjects(folder)) };
}

test("of many verdicts of one key that are put at the same time, one is kept, with its evidence", async () => {
  const { folder, store } = newStore();
  const verdicts = Array.from({ length: 20 }, (_, seed) => exampleCatalogueVerdict({ seed }));
  const kept = await Promise.all(
    verdicts.map((verdict) => store.put(verdict, { "evidence.txt": Buffer.from(String(verdict.seed)) })),
  );
  expect(kept.filter((isKept) => isKept)).toHaveLength(1);
  expect(await store.get(exampleKey())).toEqual(verdicts[kept.indexOf(true)]);
  const name = keyText(exampleKey());
  const verdictFolder = join(folder, "verdicts", name.slice(0, 2), name);
  const [evidence = "", record, ...others] = readdirSync(verdictFolder).sort();
  expect([record, others]).toEqual(["record.json", []]);
  expect(evidence).toMatch(/-evidence\.txt$/);
  expect(readFileSync(join(verdictFolder, evidence), "utf8")).toBe(String(kept.indexOf(true)));
});

test("a damaged record whose move is cut short is moved by the next reader, and no verdict is lost", async () => {
  const { folder, store } = newStore();
  const name = keyText(exampleKey());
  const record = join("verdicts", name.slice(0, 2), name, "record.json");
  await store.writeReport(record, "damaged");
  const objects = new FolderObjects(folder);
  const cut = new Error("killed");
  objects.delete = () => Promise.reject(cut);
  await expect(new VerdictStore(objects).get(exampleKey())).rejects.toBe(cut);
  expect(readFileSync(join(folder, record), "utf8")).toBe("damaged");
  expect(await store.get(exampleKey())).toBeNull();
  const kept = readdirSync(join(folder, "damaged")).map((file) => readFileSync(join(folder, "damaged", file), "utf8"));
  expect(new Set(kept)).toEqual(new Set(["damaged"]));
  expect(await store.put(exampleCatalogueVerdict(), {})).toBe(true);
});

testVerdictStore(() => newStore().store);

test("a key is a file name, and keys that differ in their digests or tiers have different ones", () => {
  fc.assert(
    fc.property(fc.string(), fc.constantFrom("short", "whole"), (suite, tier) => {
      const texts = ["a", "b"].map((digit) => keyText({ ...exampleKey(digit), suite, tier }));
      expect(new Set(texts).size).toBe(2);
      for (const text of texts) expect(text).toMatch(/^[\w.+-]+$/);
    }),
  );
});
