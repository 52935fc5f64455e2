import { expect, test } from "vitest";
import { certifyCheat, problemWithCheat } from "./cheating.ts";

// Two of those that `npm run mutants -- --cheating` certifies.
const LONG = 300_000;

test.each([
  ["forges-the-import-report", "PKG-010", "inconclusive"],
  ["writes-its-own-marks", "LIFE-004", "not-conformant"],
])(
  "an app that %s gets no certificate",
  async (name, id, expected) => {
    const verdict = await certifyCheat(name, { only: [id] });
    expect([problemWithCheat(name, verdict), verdict.verdict]).toEqual([null, expected]);
    expect(verdict.isolation.reason === null).toBe(verdict.isolation.sandbox === "bubblewrap");
  },
  LONG,
);
