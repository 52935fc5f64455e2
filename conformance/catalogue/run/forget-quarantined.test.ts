import { expect, test } from "vitest";
import { temporaryFolder } from "../../../common/testing/temporary-folder.ts";
import { FolderObjects } from "../store/folder-objects.ts";
import { VerdictStore } from "../store/verdict-store.ts";
import { exampleApp, exampleCatalogueVerdict, exampleKey, exampleRun } from "../testing/example-run.ts";
import { forgetQuarantined } from "./forget-quarantined.ts";

const WHAT = { version: exampleKey().suite, tier: exampleKey().tier };

test("forgets the quarantined verdicts of the catalogue's apps, and no other verdict", async () => {
  const folder = temporaryFolder("robot-forget-test-");
  const store = new VerdictStore(new FolderObjects(folder));
  const digits = { hangs: "a", copy: "a", fine: "b", elsewhere: "c", fixed: "d" };
  for (const [digit, verdict] of Object.entries({
    a: "quarantined",
    b: "conformant",
    c: "quarantined",
    d: "conformant",
  } as const))
    await store.put(exampleCatalogueVerdict({ key: exampleKey(digit), verdict }), {});
  const entry = (name: keyof typeof digits, verdict: "quarantined" | "conformant") =>
    exampleApp(name, [], { digest: exampleKey(digits[name]).digest, verdict });
  const before = exampleRun([
    entry("hangs", "quarantined"),
    entry("copy", "quarantined"),
    entry("fine", "conformant"),
    entry("elsewhere", "quarantined"),
    // Certified after that run.
    entry("fixed", "quarantined"),
  ]);
  const apps = before.apps.filter(({ name }) => name !== "elsewhere");
  expect(await forgetQuarantined(apps, before, { store, ...WHAT })).toBe(1);
  const left = await Promise.all(["a", "b", "c", "d"].map((digit) => store.get(exampleKey(digit))));
  expect(left.map((verdict) => verdict?.verdict)).toEqual([undefined, "conformant", "quarantined", "conformant"]);
  expect(await forgetQuarantined(apps, null, { store, ...WHAT })).toBe(0);
});
