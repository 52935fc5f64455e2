import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { DEFAULT_DIALECT, REACHY_MINI } from "../../robot/dialects/dialects.ts";
import { DYNAMIC } from "./registry.ts";
import { appWithPage, judged, run } from "./testing/judged.ts";

test("what the SDK of another dialect does not do is not asked of its apps", () => {
  const other = { ...appWithPage, dialect: REACHY_MINI.id };
  const goesOn = { appRuns: [run({ testRun: "port-taken", endRequestedAt: 10 })], facts: { portFreed: true } };
  const own = { ...other, dialect: DEFAULT_DIALECT.id };
  expect(judged("UI-002", { ...goesOn, app: own }).status).toBe("fail");
  expect(judged("UI-002", { ...goesOn, app: other }).status).toBe("pass");
  expect(judged("UI-002", { ...goesOn, app: other, facts: { portFreed: false } }).status).toBe("fail");
  const outage = { facts: { shortOutage: { seconds: 2, reconnected: false, ended: true } } };
  expect(
    judged("RES-006", {
      ...outage,
      appRuns: [run({ testRun: "daemon-lost", exit: { code: 1, signal: null } })],
      app: other,
    }).status,
  ).toBe("not-applicable");
});

test("docs/certifying-requirements.md says which requirements apps of other dialects only SHOULD meet, and why", () => {
  const page = readFileSync("docs/certifying-requirements.md", "utf8");
  for (const { id, level, advisoryInOtherDialects } of DYNAMIC) {
    if (advisoryInOtherDialects === undefined) continue;
    expect(level).toBe("MUST");
    expect(page).toContain(`| \`${id}\` | ${advisoryInOtherDialects.why} | ${advisoryInOtherDialects.fix} |`);
  }
});
