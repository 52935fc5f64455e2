import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { parse } from "yaml";
import { differenceOf, Expected } from "./expected.ts";

test("the table of truth can be read, and names each app once", () => {
  const apps = Expected.parse(parse(readFileSync("lab/public/expected.yaml", "utf8")));
  expect(apps.length).toBeGreaterThanOrEqual(20);
  expect(new Set(apps.map(({ folder }) => folder)).size).toBe(apps.length);
  for (const { folder } of apps) expect(folder).not.toMatch(/^\/|\.\./);
});

test.each([
  [{ verdict: "conformant" }, { verdict: "conformant", fails: [], needs: [] }, null],
  [{ verdict: "conformant" }, { verdict: "error", fails: [], needs: [] }, "error instead of conformant"],
  [
    { verdict: "not-conformant", fails: ["LIFE-001"] },
    { verdict: "not-conformant", fails: ["PKG-001", "LIFE-003"], needs: [] },
    "fails LIFE-003 and PKG-001 instead of LIFE-001",
  ],
  [{ verdict: "not-conformant" }, { verdict: "not-conformant", fails: ["PKG-001"], needs: [] }, null],
  [
    { verdict: "inconclusive", needs: "HF_TOKEN" },
    { verdict: "inconclusive", fails: [], needs: [] },
    "needs nothing instead of HF_TOKEN",
  ],
] as const)("%j, seen %j: %s", (expected, seen, difference) => {
  expect(differenceOf(expected as never, seen)).toBe(difference);
});
