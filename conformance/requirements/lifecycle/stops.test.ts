import { describe, expect, test } from "vitest";
import type { AppRun } from "../../evidence/app-run.ts";
import { goodStops, judged, run } from "../testing/judged.ts";
import { stopAspects } from "./stop-aspects.ts";

test("an app with its own wrapped_run that ignores SIGINT fails LIFE-003 without the trace instrument", () => {
  const untraced = { runEnteredAt: null, runLeftAt: null, forceStopped: true, exit: { code: null, signal: "SIGKILL" } };
  const appRuns = goodStops.map((good) => ({ ...good, ...untraced }));
  expect(judged("LIFE-003", { appRuns })).toMatchObject({ status: "fail" });
  expect(judged("LIFE-003", { appRuns }).findings[0]?.message).toContain("had to be killed");
});

test("LIFE-003 passes and names the stops that prove it", () => {
  const { status, observations } = judged("LIFE-003", { appRuns: goodStops });
  expect(status).toBe("pass");
  expect(observations.map(({ testRun }) => testRun)).toEqual(["first-run", "stop-early", "stop-during-goto"]);
});

test("LIFE-005 counts no stop after the connection", () => {
  const importing = run({ testRun: "stop-while-importing", phase: "importing", connectedAt: null });
  const connecting = run({ testRun: "stop-while-connecting", phase: "connecting", connectedAt: null });
  const late = run({ testRun: "stop-while-importing", phase: "running", forceStopped: true });
  expect(judged("LIFE-005", { appRuns: [importing, late, connecting] }).status).toBe("pass");
  expect(judged("LIFE-005", { appRuns: [late, connecting] })).toMatchObject({
    status: "inconclusive",
    reason: expect.stringContaining("it had connected before it was stopped"),
  });
});

test("LIFE-008 does not apply to an app whose run() returned before the error was raised", () => {
  const error = { testRun: "error-in-run", endCause: "error", errorInjected: false } as const;
  const returned = run({ ...error, runLeftAt: 9, exit: { code: 0, signal: null } });
  expect(judged("LIFE-008", { appRuns: [returned] }).status).toBe("not-applicable");
  // Python restores the usual effect of signals before it exits.
  const exit = { code: null, signal: "SIGUSR1" } as const;
  expect(judged("LIFE-008", { appRuns: [{ ...returned, exit }] }).status).toBe("not-applicable");
  expect(judged("LIFE-008", { appRuns: [{ ...returned, exit, runLeftAt: null }] }).status).toBe("inconclusive");
  const ranOn = run({ ...error, runLeftAt: null, stoppedAfterError: true });
  expect(judged("LIFE-008", { appRuns: [ranOn] })).toMatchObject({
    status: "inconclusive",
    reason: expect.stringContaining("SIGUSR1"),
  });
});

test.each([
  [
    "passes when the SDK took the time to close the page and the connection",
    { disconnectedAt: 4.2, exitedAt: 5.4 },
    "pass",
  ],
  ["fails when the process lingers after that", { disconnectedAt: 2.2, exitedAt: 5.4 }, "fail"],
  ["fails when a thread keeps a connection", { disconnectedAt: 6, exitedAt: 6.1 }, "fail"],
])("an app whose run() returns at 2 s %s (LIFE-007)", (_, times, status) => {
  const appRuns = [run({ testRun: "stop-early", runLeftAt: 2, ...times })];
  expect(judged("LIFE-007", { appRuns }).status).toBe(status);
});

test("a stop that hit no goto is no proof of a stop during one", () => {
  const appRuns = [...goodStops.slice(0, 2), run({ testRun: "stop-during-goto", phase: "running" })];
  const { status, observations } = judged("LIFE-003", { appRuns });
  expect([status, observations.map(({ testRun }) => testRun)]).toEqual(["pass", ["first-run", "stop-early"]]);
});

test.each([
  ["the app started no goto in its first seconds", []],
  ["each of the app's gotos had ended or was replaced when the stop came", ["/api/move/goto"]],
])("a stop during a goto does not apply: %s", (fact, kinds) => {
  const command = { t: 2, pid: 1, connection: null, isPublic: false, text: '{"duration":0.1}' };
  const commands = kinds.map((kind) => ({ ...command, kind }));
  const [aspect] = stopAspects([run({ testRun: "stop-during-goto", phase: "running", commands })], () => null).slice(2);
  expect(aspect?.notApplicable).toBe(fact);
});

describe("an app that ends by itself right after its start", () => {
  const ended = { endRequestedAt: null, endCause: "by-itself", phase: null } as const;
  const judgedWith = (...early: AppRun[]) => {
    const [first, , duringGoto] = goodStops.map((good) => ({ ...good, ...ended }));
    return judged("LIFE-003", { appRuns: [first, ...early, duringGoto] as AppRun[] });
  };
  const beforeRun = run({ testRun: "stop-early", phase: "connected", exit: { code: 1, signal: null } });
  const endedEarly = run({ testRun: "stop-early", ...ended });

  test("is not concerned by stops, although one came before its run()", () => {
    const { status, reason } = judgedWith(beforeRun, endedEarly, endedEarly);
    expect([status, reason]).toEqual(["not-applicable", expect.stringContaining("ended by itself after")]);
  });

  test("fails when a stop of its run() does not end it", () => {
    const killed = run({ testRun: "stop-early", forceStopped: true, exit: { code: null, signal: "SIGKILL" } });
    expect(judgedWith(beforeRun, endedEarly, killed).status).toBe("fail");
  });

  test("is inconclusive when all stops came before its run(), or one run crashed", () => {
    expect(judgedWith(beforeRun).status).toBe("inconclusive");
    const crashed = run({ testRun: "stop-early", ...ended, exit: { code: 1, signal: null } });
    expect(judgedWith(beforeRun, endedEarly, crashed).status).toBe("inconclusive");
  });
});

test("stops do not concern an app that always ends by itself", () => {
  const ended = { endRequestedAt: null, endCause: "by-itself", phase: null } as const;
  const appRuns = [...goodStops, run({ testRun: "second-sigint" })].map((good) => ({ ...good, ...ended }));
  expect(judged("LIFE-003", { appRuns }).reason).toContain("ended by itself after");
  for (const id of ["LIFE-003", "LIFE-011"]) expect(judged(id, { appRuns }).status).toBe("not-applicable");
});

describe("SIGINT ends an interpreter that is ending", () => {
  const exit = { code: null, signal: "SIGINT" } as const;
  const times = { runLeftAt: 8.4, disconnectedAt: 8.5, endRequestedAt: 8.9, exitedAt: 9.1 };
  const ending = { ...times, phase: "running", exit } as const;
  const withStop = (stop: Partial<AppRun>) => {
    const appRuns = goodStops.map((good) => (good.testRun === "stop-early" ? { ...good, ...ending, ...stop } : good));
    return judged("LIFE-003", { appRuns });
  };

  test("which says nothing about the app's stop", () => {
    expect(withStop({})).toMatchObject({ status: "pass", observations: [{ testRun: "first-run" }, expect.anything()] });
    const all = goodStops.map((good) => ({ ...good, ...ending }));
    const { status, reason } = judged("LIFE-003", { appRuns: all });
    expect([status, reason]).toEqual(["not-applicable", expect.stringContaining("ended by itself after 8.5")]);
  });

  test("and in another test run is no observation of a stop", () => {
    const appRuns = [...goodStops, ...goodStops].map((good) => ({ ...good, ...ending }));
    const elsewhere = { ...goodStops[0], ...ending, testRun: "killed" } as AppRun;
    expect(judged("LIFE-003", { appRuns: [...appRuns, elsewhere] })).toMatchObject({ status: "not-applicable" });
  });

  test.each([
    ["the app was still connected", { disconnectedAt: 9 }],
    ["it went on for long after it had disconnected", { disconnectedAt: 5 }],
    ["it never disconnected", { disconnectedAt: null }],
    ["it had connected more than once", { connectionEnds: { 1: 5, 2: 8.5 } }],
    ["its run() went on without a connection", { runLeftAt: null }],
    ["its run() went on until the stop", { runLeftAt: 9 }],
    ["its own code was interrupted", { stderrTail: ["Traceback (most recent call last):", "KeyboardInterrupt"] }],
    ["it exited with a code of its own", { exit: { code: 3, signal: null } }],
    ["it had to be killed", { forceStopped: true, exit: { code: null, signal: "SIGKILL" } }],
  ])("but is a violation when %s", (_, stop) => {
    expect(withStop(stop).status).toBe("fail");
  });
});
