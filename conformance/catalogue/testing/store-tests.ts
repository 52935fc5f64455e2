import { expect, test } from "vitest";
import { keyText } from "../catalogue-verdict.ts";
import type { VerdictStore } from "../store/verdict-store.ts";
import { exampleCatalogueVerdict, exampleKey } from "./example-run.ts";

/** Declares the tests that every store passes. @param newStore makes an empty one */
export function testVerdictStore(newStore: () => VerdictStore): void {
  test("without a verdict there is none; a forgotten one can be put again", async () => {
    const store = newStore();
    expect(await store.get(exampleKey())).toBeNull();
    expect(await store.put(exampleCatalogueVerdict(), { "evidence.txt": Buffer.from("") })).toBe(true);
    await store.link("ab12", exampleKey());
    expect([await store.linked("ab12"), await store.linked("cd34")]).toEqual([exampleCatalogueVerdict(), null]);
    await store.forget(exampleKey());
    expect([await store.get(exampleKey()), await store.linked("ab12")]).toEqual([null, null]);
    expect(await store.put(exampleCatalogueVerdict({ seed: 2 }), {})).toBe(true);
    expect(await store.get(exampleKey())).toEqual(exampleCatalogueVerdict({ seed: 2 }));
  });

  test("attempts are noted before they end, and are gone once there is a verdict", async () => {
    const store = newStore();
    const attempt = { worker: "a:1", job: null, startedAt: "2030-01-01T00:00:00.000Z", failure: null };
    const failure = { kind: "crash" as const, message: "ended with SIGKILL", output: "" };
    const first = await store.beginAttempt(exampleKey(), attempt);
    const second = await store.beginAttempt(exampleKey(), { ...attempt, startedAt: "2030-01-01T00:00:01.000Z" });
    await first.fail(failure);
    expect((await store.attempts(exampleKey())).map((each) => each.failure)).toEqual([failure, null]);
    await second.remove();
    expect(await store.attempts(exampleKey())).toHaveLength(1);
    expect(await store.attempts(exampleKey("b"))).toEqual([]);
    await store.put(exampleCatalogueVerdict(), {});
    expect(await store.attempts(exampleKey())).toEqual([]);
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
    await store.writeReport(`attempts/${name}/1.json`, "");
    for (const damaged of ["null", JSON.stringify({ ...exampleKey(), digest: `${"../".repeat(9)}secret` })]) {
      await store.writeReport("links/ab/ab12.json", damaged);
      expect([await store.attempts(exampleKey()), await store.linked("ab12")]).toEqual([[], null]);
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
