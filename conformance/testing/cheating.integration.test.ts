import { expect, test } from "vitest";
import { certifyCheat, problemWithCheat } from "./cheating.ts";

// Two of those that `npm run mutants -- --cheating` certifies.
const LONG = 300_000;

test.each([
  ["forges-the-import-report", "PKG-010"],
  ["writes-its-own-marks", "LIFE-004"],
])(
  "an app that %s gets no certificate",
  async (name, id) => {
    const verdict = await certifyCheat(name, { only: [id] });
    expect([problemWithCheat(name, verdict), verdict.verdict]).toEqual([null, "not-conformant"]);
    expect(verdict.isolation.reason === null).toBe(verdict.isolation.sandbox === "bubblewrap");
  },
  LONG,
);
