import { expect, test } from "vitest";
import { exampleVerdict } from "../testing/example-verdict.ts";
import { applyWaivers, readWaivers } from "./waivers.ts";

const TEXT = `
- requirement: LIFE-003
  reason: the arm takes its time
  owner: Ada
  expires: 2030-01-31
`;
const [waiver] = readWaivers(TEXT, "waivers.yaml");
const judge = (status: "pass" | "fail" | "error", today: string, only: readonly string[] | null = null) =>
  applyWaivers(exampleVerdict({ "LIFE-003": status }).results, [waiver!], today, only);

test("a waived failure counts as a warning until the waiver's last day", () => {
  for (const today of ["2029-06-01", "2030-01-31"]) {
    const { results, stale } = judge("fail", today);
    expect([results[0]?.status, results[0]?.waiver?.owner, stale]).toEqual(["warn", "Ada", []]);
  }
});

test("an expired waiver covers nothing and is stale", () => {
  const { results, stale } = judge("fail", "2030-02-01");
  expect([results[0]?.status, stale]).toEqual(["fail", [{ ...waiver, why: "expired" }]]);
});

test("an unneeded waiver is stale; a waiver of a requirement that was not judged is not", () => {
  expect(judge("pass", "2029-01-01").stale).toEqual([{ ...waiver, why: "unused" }]);
  expect(judge("pass", "2029-01-01", ["UI-001"]).stale).toEqual([]);
});

test("an error of the harness cannot be waived", () => {
  expect(judge("error", "2029-01-01").results[0]?.status).toBe("error");
});

test.each([
  [
    "- requirement: LIFE-999\n  reason: x\n  owner: y\n  expires: 2030-01-01",
    'waivers.yaml[0].requirement is "LIFE-999"; it must be the id of a requirement',
  ],
  ["- requirement: LIFE-003\n  reason: ''\n  owner: y\n  expires: 2030-01-01", "waivers.yaml[0].reason"],
  [
    "- requirement: LIFE-003\n  reason: x\n  owner: y\n  expires: 2030-02-30",
    'waivers.yaml[0].expires is "2030-02-30"; it must be a date, YYYY-MM-DD',
  ],
  ["- requirement: LIFE-003\n  reason: x\n  owner: y", "waivers.yaml[0].expires is missing"],
  ["requirement: LIFE-003", "it must be a list"],
  ["- [", "does not parse"],
])("%j is refused with the place", (text, place) => {
  expect(() => readWaivers(text, "waivers.yaml")).toThrow(place);
});
