import { describe, expect, test } from "vitest";
import { judge } from "../certify/judge.ts";
import { decide } from "../verdict/verdict.ts";
import { DYNAMIC } from "./registry.ts";
import { judgeByAspects } from "./requirement.ts";
import { app, appWithPage, goodStops, judged, run } from "./testing/judged.ts";

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

  test.each(DYNAMIC)("$id, by a second build that there was not", ({ id, needsSecondBuild }) => {
    const install = { refusal: null, staticFiles: 3, missing: [], remains: [], rebuilt: [] };
    const built = judged(id, { facts: { install } });
    const { status } = judged(id, { facts: { install: { ...install, remains: null, rebuilt: null } } });
    expect(status).toBe(needsSecondBuild ? "inconclusive" : built.status);
    if (needsSecondBuild) expect(built.status).toBe("pass");
  });

  test("an aspect that applies and was not observed makes a requirement inconclusive, whatever other aspects were observed", () => {
    const seen = { text: "seen", testRun: null, t: null };
    const result = judgeByAspects([
      { name: "one", met: [seen], violations: [], unobserved: "" },
      { name: "other", met: [], violations: [], unobserved: "nothing was seen" },
    ]);
    expect(result).toMatchObject({ kind: "inconclusive", fact: "Other: nothing was seen.", observations: [seen] });
  });

  test("a requirement of which no aspect applies is not applicable, with the facts", () => {
    const aspect = { name: "one", met: [], violations: [], notApplicable: "the app sleeps", unobserved: "" };
    expect(judgeByAspects([aspect, aspect])).toEqual({ kind: "not-applicable", fact: "The app sleeps." });
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

  test("is said to lack what the exception names, by each requirement", () => {
    const error = "KeyError: 'OPENAI_API_KEY'";
    const appRuns = [ends("first-run", error), ends("run-by-hand", error)];
    for (const id of ["LIFE-013", "LIFE-002"])
      expect(judged(id, { appRuns })).toMatchObject({
        status: "inconclusive",
        reason: expect.stringMatching(/^needs: OPENAI_API_KEY/),
      });
  });

  test("is not certified, whatever else the exception hides, and by no single requirement", () => {
    const results = DYNAMIC.map((requirement) => {
      const appRuns = [...new Set(["first-run", ...requirement.testRuns])].map((testRun) => ends(testRun));
      const evidence = { app, appRuns, testRuns: [], facts: {}, harnessFailures: new Map() };
      const { judgement } = judge(requirement, evidence);
      if (judge({ ...requirement, countsErrorOfFirstRun: true }, evidence).judgement.status === "fail")
        expect(decide([judgement])).not.toBe("conformant");
      return judgement;
    });
    expect(decide(results)).toBe("not-conformant");
  });

  test("violates the others where the harness failed in its first run, which does not count", () => {
    const harnessFailures = new Map([["first-run", "the daemon crashed"]]);
    const appRuns = [ends("first-run"), ends("run-by-hand")];
    expect(judged("LIFE-002", { appRuns, harnessFailures }).status).toBe("fail");
  });

  test("violates the others by another exception, and when its first run was fine", () => {
    const other = [ends("first-run"), ends("run-by-hand", "EOFError: EOF when reading a line")];
    expect(judged("LIFE-002", { appRuns: other }).status).toBe("fail");
    expect(judged("LIFE-002", { appRuns: [run(), ends("run-by-hand")] }).status).toBe("fail");
  });
});
