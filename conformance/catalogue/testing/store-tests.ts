import { expect, test } from "vitest";
import { keyText } from "../catalogue-verdict.ts";
import type { VerdictStore } from "../store/verdict-store.ts";
import { exampleCatalogueVerdict, exampleKey } from "./example-run.ts";

/** Declares the tests that every store passes. @param newStore makes an empty one */
export function testVerdictStore(newStore: () => VerdictStore): void {
  test("without a verdict there is none; there is one of a key", async () => {
    const store = newStore();
    expect(await store.get(exampleKey())).toBeNull();
    expect(await store.put(exampleCatalogueVerdict(), { "evidence.txt": Buffer.from("") })).toBe(true);
    await store.link("ab12", exampleKey());
    expect([await store.linked("ab12"), await store.linked("cd34")]).toEqual([exampleCatalogueVerdict(), null]);
    expect(await store.put(exampleCatalogueVerdict({ seed: 2 }), {})).toBe(false);
    expect(await store.get(exampleKey())).toEqual(exampleCatalogueVerdict());
  });

  test("a damaged record is no verdict, and another one takes its place", async () => {
    const store = newStore();
    const name = keyText(exampleKey());
    await store.put(exampleCatalogueVerdict(), {});
    await store.link("ab12", exampleKey());
    await store.writeReport(`verdicts/${name.slice(0, 2)}/${name}/record.json`, '{"format":"robot');
    expect([await store.linked("ab12"), await store.get(exampleKey())]).toEqual([null, null]);
    expect(await store.put(exampleCatalogueVerdict({ seed: 2 }), {})).toBe(true);
    expect(await store.linked("ab12")).toEqual(exampleCatalogueVerdict({ seed: 2 }));
    for (const damaged of ["null", JSON.stringify({ ...exampleKey(), digest: `${"../".repeat(9)}secret` })]) {
      await store.writeReport("links/ab/ab12.json", damaged);
      expect(await store.linked("ab12")).toBeNull();
    }
  });

  test("an id that names another folder stays among the links", async () => {
    const store = newStore();
    await store.put(exampleCatalogueVerdict(), {});
    await store.link("../../catalogue", exampleKey());
    expect(await store.readReport("catalogue.json")).toBeNull();
    expect(await store.linked("../../catalogue")).toEqual(exampleCatalogueVerdict());
  });

  test("reports are replaced, read and listed", async () => {
    const store = newStore();
    await store.writeReport("catalogue.json", "old");
    expect(await store.writeReport("catalogue.json", "new")).toMatch(/\/catalogue\.json$/);
    expect([await store.readReport("catalogue.json"), await store.readReport("none")]).toEqual(["new", null]);
    const names = ["1.json", "2 & more.json", "3+.json"];
    for (const name of names) await store.writeReport(`runs/${name}`, name);
    expect((await store.listReports("runs")).sort()).toEqual(names);
    expect(await store.readReport("runs/3+.json")).toBe("3+.json");
  });
}
