import { expect, test } from "vitest";
import type { Attempt } from "../catalogue-verdict.ts";
import { isPoison } from "./poison.ts";

const attempt = (kind: NonNullable<Attempt["failure"]>["kind"] | null): Attempt => {
  const failure = kind === null ? null : { kind, message: "", output: "" };
  return { worker: "a:1", startedAt: "2030-01-01T00:00:00.000Z", failure };
};
const attempts = (...kinds: Parameters<typeof attempt>[0][]) => kinds.map(attempt);

test.each([
  [attempts("deadline", "memory", "crash"), true],
  [attempts("deadline", "crash", null), false],
  [attempts("harness", "fetch", "harness", "fetch", "harness"), false],
  [attempts(null, null, null, null, null, null, null), false],
  [attempts(null, null, null, null, null, null, null, null), true],
])("%j: %s", (list, expected) => {
  expect(isPoison(list)).toBe(expected);
});
