import { expect, test } from "vitest";
import { certifyCheat, problemWithCheat } from "./cheating.ts";

// The fastest of those that `npm run mutants -- --cheating` certifies.
test("an app that forges the report of its import gets no certificate", async () => {
  const name = "forges-the-import-report";
  const verdict = await certifyCheat(name, { only: ["PKG-010"] });
  expect([problemWithCheat(name, verdict), verdict.verdict]).toEqual([null, "inconclusive"]);
  expect(verdict.isolation.reason === null).toBe(verdict.isolation.sandbox === "bubblewrap");
});
