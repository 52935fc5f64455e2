import { expect, test } from "vitest";
import { judged, run } from "../testing/judged.ts";

test("an app that spins without a daemon fails, also when it reconnects in the end", () => {
  const appRuns = [run({ testRun: "daemon-lost" }), run({ testRun: "daemon-silent" })];
  const losses = (cpu: number) => {
    const loss = { cpu, reconnected: true, ended: false };
    return { appRuns, facts: { daemonLosses: { "daemon-lost": { ...loss, cpu: 0.1 }, "daemon-silent": loss } } };
  };
  expect(judged("RES-001", losses(0.97)).findings[0]?.message).toContain("97 % of a processor");
  expect(judged("RES-001", losses(0.1)).status).toBe("pass");
});

test("an app that always computes as much does not spin", () => {
  const usage = { seconds: 8, cpu: 0.75, memory: 8e7, lineRate: 0.4 };
  const appRuns = [run({ usage }), run({ testRun: "daemon-lost" }), run({ testRun: "daemon-silent" })];
  const losses = (cpu: number) => {
    const loss = { cpu, reconnected: true, ended: false };
    return { appRuns, facts: { daemonLosses: { "daemon-lost": loss, "daemon-silent": loss } } };
  };
  expect(judged("RES-001", losses(0.8)).status).toBe("pass");
  expect(judged("RES-001", losses(0.99)).findings[0]?.message).toContain("at most 95 % is not spinning");
});

test("RES-001 needs both silence and closed connections", () => {
  const loss = { cpu: 0.1, reconnected: true, ended: false };
  const appRuns = [run({ testRun: "daemon-lost" })];
  const { status, reason } = judged("RES-001", { appRuns, facts: { daemonLosses: { "daemon-lost": loss } } });
  expect([status, reason]).toEqual(["inconclusive", "Silence: not run."]);
});
