import { describe, expect, test } from "vitest";
import { DYNAMIC } from "./registry.ts";
import { judgeAspects } from "./requirement.ts";
import { appWithPage, goodStops, judged, run } from "./testing/judged.ts";

describe("no judge passes without observations", () => {
  test.each(DYNAMIC.map(({ id }) => id))("%s, when nothing was observed", (id) => {
    const { status, reason, observations } = judged(id, { app: appWithPage, appRuns: [] });
    expect({ status, observations }).toEqual({ status: "inconclusive", observations: [] });
    expect(reason).toMatch(/\w/);
  });

  test.each(DYNAMIC.filter(({ testRuns }) => testRuns.length > 0).map(({ id }) => id))(
    "%s, when the app was killed before it connected",
    (id) => {
      const ended = { endRequestedAt: null, endCause: "by-itself", phase: null, usage: null } as const;
      const dead = {
        ...ended,
        connectedAt: null,
        connectAttemptAt: null,
        disconnectedAt: null,
        runEnteredAt: null,
        runLeftAt: null,
      };
      const testRuns = DYNAMIC.find((each) => each.id === id)?.testRuns ?? [];
      const appRuns = testRuns.map((testRun) => run({ testRun, ...dead, exit: { code: null, signal: "SIGKILL" } }));
      expect(judged(id, { app: appWithPage, appRuns }).status).not.toBe("pass");
    },
  );

  test("an aspect that applies and was not observed makes a requirement inconclusive, whatever other aspects were observed", () => {
    const seen = { text: "seen", testRun: null, t: null };
    const result = judgeAspects([
      { name: "one", met: [seen], violations: [], unobserved: "" },
      { name: "other", met: [], violations: [], unobserved: "nothing was seen" },
    ]);
    expect(result).toMatchObject({ kind: "inconclusive", fact: "Other: nothing was seen.", observations: [seen] });
  });

  test("a requirement of which no aspect applies is not applicable, with the facts", () => {
    const aspect = { name: "one", met: [], violations: [], notApplicable: "the app sleeps", unobserved: "" };
    expect(judgeAspects([aspect, aspect])).toEqual({ kind: "not-applicable", fact: "The app sleeps." });
  });
});

test("a test run that failed for reasons of the harness counts neither for nor against the app", () => {
  const harnessFailures = new Map([["first-run", "the daemon crashed"]]);
  const appRuns = [run({ exit: { code: 3, signal: null } }), ...goodStops.slice(1)];
  expect(judged("LIFE-003", { appRuns, harnessFailures })).toMatchObject({
    status: "error",
    reason: "first-run: the daemon crashed",
    findings: [],
  });
});

test("a violation in another test run counts all the same", () => {
  const harnessFailures = new Map([["stop-early", "the daemon crashed"]]);
  expect(judged("LIFE-003", { appRuns: [run({ exit: { code: 3, signal: null } })], harnessFailures }).status).toBe(
    "fail",
  );
});

test("a judge that throws is an error of the harness", () => {
  expect(judged("MOT-001", { appRuns: [run({ commands: null as never })] }).status).toBe("error");
});

test("a finding is at the innermost line of the app in a traceback", () => {
  const stderrTail = [
    '  File "/v/site-packages/my_app/main.py", line 7, in run',
    '  File "/v/site-packages/my_app/arm.py", line 40, in lift',
    '  File "/v/site-packages/numpy/core.py", line 1, in dot',
  ];
  const { findings } = judged("LIFE-003", { appRuns: [run({ exit: { code: 1, signal: null }, stderrTail })] });
  expect(findings[0]).toMatchObject({ file: "my_app/arm.py", line: 40 });
});

test("equal violations are one finding", () => {
  const failed = run({ exit: { code: 3, signal: null } });
  const appRuns = [failed, { ...failed }, { ...failed, phase: "mid-goto" as const }];
  expect(judged("LIFE-003", { appRuns }).findings.map(({ message }) => message)).toEqual([
    expect.stringMatching(/while running.*\(2 times\)$/),
    expect.stringMatching(/while mid-goto.*Python\.$/),
  ]);
});

describe("an app that ends itself by an exception in its first run", () => {
  const traceback = (error: string) => [
    "Traceback (most recent call last):",
    '  File "/venv/lib/my_app/main.py", line 13, in run',
    `    raise ${error}`,
    error,
  ];
  const ends = (testRun: string, error = "RuntimeError: on purpose") =>
    run({
      testRun,
      endRequestedAt: null,
      endCause: "by-itself",
      exit: { code: 1, signal: null },
      stderrTail: traceback(error),
    });

  test("violates LIFE-013, and not what the same exception would violate in other test runs", () => {
    const appRuns = [ends("first-run"), ends("run-by-hand")];
    expect(judged("LIFE-013", { appRuns }).status).toBe("fail");
    expect(judged("LIFE-002", { appRuns })).toMatchObject({
      status: "inconclusive",
      reason: "The app ended by the same error as in its first run (LIFE-013).",
      findings: [],
    });
  });

  test("violates the others by another exception, and when its first run was fine", () => {
    const other = [ends("first-run"), ends("run-by-hand", "EOFError: EOF when reading a line")];
    expect(judged("LIFE-002", { appRuns: other }).status).toBe("fail");
    expect(judged("LIFE-002", { appRuns: [run(), ends("run-by-hand")] }).status).toBe("fail");
  });
});
