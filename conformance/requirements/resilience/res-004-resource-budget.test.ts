import { expect, test } from "vitest";
import { judged, run } from "../testing/judged.ts";

test.each([
  ["processor", { seconds: 10, cpu: 0.98, memory: 8e7, lineRate: 0 }],
  ["memory", { seconds: 10, cpu: 0.01, memory: 9e8, lineRate: 0 }],
  ["log", { seconds: 10, cpu: 0.01, memory: 8e7, lineRate: 500 }],
])("an app over its budget of %s is warned", (what, usage) => {
  const { status, findings } = judged("RES-004", { appRuns: [run({ usage })] });
  expect([status, findings.map(({ message }) => message)]).toEqual(["warn", [expect.stringContaining(what)]]);
});
