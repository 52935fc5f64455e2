import { expect, test } from "vitest";
import type { Attempt } from "../catalogue-verdict.ts";
import { QUARANTINE_LOSSES, shouldQuarantine } from "./quarantine.ts";

const START = "2030-01-01T00:00:00.000Z";
/** A second after the attempts began, with a deadline that is not over. */
const NOW = { job: "job", now: Date.parse(START) + 1000, deadline: 240 };

const attempt = (kind: NonNullable<Attempt["failure"]>["kind"] | null, job: string | null = null): Attempt => {
  const failure = kind === null ? null : { kind, message: "", output: "" };
  return { worker: "a:1", job, startedAt: START, failure };
};
const unfinished = (count: number, job: string | null) => Array.from({ length: count }, () => attempt(null, job));

test.each([
  [["deadline", "memory", "crash"], true],
  [["deadline", "crash", null], false],
  [["harness", "fetch", "harness", "fetch", "harness"], false],
] as const)("attempts that ended with %j: %s", (kinds, expected) => {
  expect(
    shouldQuarantine(
      kinds.map((kind) => attempt(kind)),
      NOW,
    ),
  ).toBe(expected);
});

test.each([null, "of a copy"])("attempts that still run do not count; job %s", (job) => {
  expect(shouldQuarantine(unfinished(QUARANTINE_LOSSES, job), NOW)).toBe(false);
  expect(shouldQuarantine(unfinished(QUARANTINE_LOSSES, job), { ...NOW, job: null })).toBe(false);
});

test("earlier attempts of the same job are lost, however short ago they began", () => {
  expect(shouldQuarantine(unfinished(QUARANTINE_LOSSES, "job"), NOW)).toBe(true);
  expect(shouldQuarantine(unfinished(QUARANTINE_LOSSES - 1, "job"), NOW)).toBe(false);
});

test("attempts without an end are lost some time after their deadline", () => {
  const later = (seconds: number) => ({ ...NOW, job: null, now: Date.parse(START) + seconds * 1000 });
  const attempts = unfinished(QUARANTINE_LOSSES, null);
  expect(shouldQuarantine(attempts, later(250))).toBe(false);
  expect(shouldQuarantine(attempts, later(301))).toBe(true);
  expect(shouldQuarantine(attempts.slice(1), later(301))).toBe(false);
});
