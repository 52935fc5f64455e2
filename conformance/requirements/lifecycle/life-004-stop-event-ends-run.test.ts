import { expect, test } from "vitest";
import { type AppRun, STOP_EVENT_NOT_SET } from "../../evidence/app-run.ts";
import { judged, run } from "../testing/judged.ts";

const inBoth = (changes: Partial<AppRun>) => ({
  appRuns: (["stop-event", "stop-method"] as const).map((endCause) =>
    run({ testRun: "stop-event-alone", endCause, endRequestedAt: 5, stopMethod: "sets-event", ...changes }),
  ),
});

test("an app that closes its connection, or ends, after stop_event was set meets it", () => {
  expect(judged("LIFE-004", inBoth({ disconnectedAt: 5.5, exitedAt: 5.6 })).status).toBe("pass");
  expect(judged("LIFE-004", inBoth({ disconnectedAt: null, exitedAt: 5.6 })).status).toBe("pass");
});

test("a connection that was closed before says nothing about stop_event", () => {
  const { status, reason } = judged("LIFE-004", inBoth({ disconnectedAt: 3, exitedAt: 12 }));
  expect([status, reason]).toEqual(["inconclusive", expect.stringContaining("run() had returned before stop_event")]);
});

test("an app that was ending by itself when it was asked to end has no stop_event to judge", () => {
  const ending = { disconnectedAt: 4.9, exitedAt: 5.4, exit: { code: 0, signal: null } };
  const { status, reason } = judged("LIFE-004", inBoth(ending));
  expect([status, reason]).toEqual(["not-applicable", expect.stringContaining("run() had returned before stop()")]);
});

test.each<[string, Partial<AppRun>]>([
  ["that fails", { exit: { code: 1, signal: null } }],
  ["that is killed", { forceStopped: true }],
  ["whose stop() ends it without setting stop_event", { stopMethod: "called" }],
])("an app without a connection %s is no app that was ending by itself", (_, changes) => {
  const ending = { disconnectedAt: 4.9, exitedAt: 5.4, exit: { code: 0, signal: null }, ...changes };
  expect(judged("LIFE-004", inBoth(ending)).status).toBe(changes.forceStopped ? "fail" : "inconclusive");
});

test("a stop() that does not set stop_event fails, however the app ends then", () => {
  const stopMethod = run({ testRun: "stop-event-alone", endCause: "stop-method", endRequestedAt: 5, exitedAt: 5.2 });
  const [stopEvent] = inBoth({ disconnectedAt: 5.5, exitedAt: 5.6 }).appRuns;
  const exit = { code: STOP_EVENT_NOT_SET, signal: null };
  const { status, findings } = judged("LIFE-004", { appRuns: [stopEvent ?? stopMethod, { ...stopMethod, exit }] });
  expect([status, findings[0]?.message]).toEqual(["fail", expect.stringContaining("did not set stop_event")]);
});

test("a stop() that ends the process without setting stop_event fails", () => {
  const { status, findings } = judged("LIFE-004", inBoth({ disconnectedAt: 5.1, exitedAt: 5.1, stopMethod: "called" }));
  expect([status, findings[0]?.message]).toEqual(["fail", expect.stringContaining("before stop_event was set")]);
});

test("an app that ended just before stop() was called says nothing about it", () => {
  const { status, reason } = judged("LIFE-004", inBoth({ disconnectedAt: 5.1, exitedAt: 5.1, stopMethod: null }));
  expect([status, reason]).toEqual(["inconclusive", expect.stringContaining("before stop() was called")]);
});

test("of several calls of stop(), the last one counts", () => {
  const appRuns = inBoth({ disconnectedAt: 5.1, exitedAt: 5.1 }).appRuns;
  const meanwhile = run({ ...appRuns[1], stopMethod: "called" });
  const before = run({ testRun: "stop-event-alone", endCause: "by-itself", endRequestedAt: null, exitedAt: 4 });
  const statusWith = (...last: AppRun[]) =>
    judged("LIFE-004", { appRuns: [...appRuns.slice(0, 1), meanwhile, ...last] }).status;
  expect(statusWith()).toBe("fail");
  expect(statusWith(before)).toBe("pass");
  expect(statusWith(run({ ...appRuns[1] }))).toBe("pass");
  expect(statusWith(run({ ...appRuns[1], disconnectedAt: 12, exitedAt: 12 }))).toBe("fail");
});

test("an app that goes on for the grace period fails", () => {
  expect(judged("LIFE-004", inBoth({ disconnectedAt: 12, exitedAt: 12 })).status).toBe("fail");
});
