import { describe, expect, test } from "vitest";
import { DEFAULT_DIALECT, REACHY_MINI } from "../../robot/dialects/dialects.ts";
import { judge } from "../certify/judge.ts";
import type { AppRun, Command } from "../evidence/app-run.ts";
import type { Evidence } from "../evidence/evidence.ts";
import { slope } from "./lifecycle/life-010-no-resource-growth.ts";
import { DYNAMIC } from "./registry.ts";
import { judgeAspects } from "./requirement.ts";

const app = {
  name: "my_app",
  module: "my_app.main",
  className: "MyApp",
  dialect: DEFAULT_DIALECT.id,
  folder: "/my_app",
  page: null,
  staticFolder: null,
};
const run = (facts: Partial<AppRun> = {}): AppRun => ({
  testRun: "first-run",
  pid: 1,
  startedAt: 0,
  connectAttemptAt: 0.9,
  connectedAt: 1,
  disconnectedAt: 9,
  runEnteredAt: 1.1,
  runLeftAt: 9,
  runRaised: null,
  endCause: "stop",
  phase: "running",
  endRequestedAt: 8.9,
  exitedAt: 9.1,
  exit: { code: 0, signal: null },
  gracePeriod: 5,
  forceStopped: false,
  errorInjected: false,
  stoppedAfterError: false,
  leftoverProcesses: [],
  commands: [],
  sounds: [],
  stderrTail: [],
  defaultPoseError: 0.01,
  motorsOn: true,
  usage: { seconds: 8, cpu: 0.5, memory: 8e7, lines: 3 },
  bytesWritten: 0,
  ...facts,
});
/** Stops that a good app survives, in each test run of a requirement on stops. */
const goodStops = [run(), run({ testRun: "stop-early" }), run({ testRun: "stop-during-goto", phase: "mid-goto" })];

const judged = (id: string, evidence: Partial<Evidence>) => {
  const requirement = DYNAMIC.find((each) => each.id === id);
  if (requirement === undefined) throw new Error(id);
  const all: Evidence = { app, appRuns: [run()], testRuns: [], facts: {}, harnessFailures: new Map(), ...evidence };
  return judge(requirement, all).judgement;
};
const sent = (text: string, t = 2): Command => ({ t, pid: 1, kind: "set_full_target", text });

describe("no judge passes without observations", () => {
  const appWithPage = { ...app, page: { url: "http://localhost:8042", port: 8042 } };

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
  const ranOn = run({ ...error, runLeftAt: null, stoppedAfterError: true });
  expect(judged("LIFE-008", { appRuns: [ranOn] })).toMatchObject({
    status: "inconclusive",
    reason: expect.stringContaining("SIGUSR1"),
  });
});

test("a stop that hit no goto is no proof of a stop during one", () => {
  const appRuns = [...goodStops.slice(0, 2), run({ testRun: "stop-during-goto", phase: "running" })];
  const { status, observations } = judged("LIFE-003", { appRuns });
  expect([status, observations.map(({ testRun }) => testRun)]).toEqual(["pass", ["first-run", "stop-early"]]);
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

describe("targets", () => {
  const withCommands = (...commands: Command[]) => judged("MOT-001", { appRuns: [run({ commands })] });

  test("NaN is a violation that names the field", () => {
    const { status, findings } = withCommands(sent('{"type":"set_full_target","antennas":[NaN,0]}'));
    expect([status, findings[0]?.message]).toEqual(["fail", expect.stringContaining("antennas")]);
  });

  test("REST moves are judged as socket moves are", () => {
    const goto = (z: number) => ({
      ...sent(`{"head_pose":{"z":${z}},"duration":1}`),
      kind: "/api/move/goto",
      pid: null,
    });
    expect(withCommands(goto(0.01)).status).toBe("pass");
    expect(withCommands(goto(0.01), goto(0.3)).findings[0]?.message).toContain("beyond the robot's limits");
  });

  test.each([
    ["/api/move/set_target", '{"target_antennas":[4.5,0]}'],
    ["/api/move/ws/set_target", '{"target_antennas":[4.5,0]}'],
    ["/api/move/goto", '{"head_pose":{"m":[1,0,0,0,0,1,0,0,0,0,1,0.3,0,0,0,1]}}'],
  ])("a target over %s is read as the daemon reads it: %s", (kind, text) => {
    expect(withCommands({ ...sent(text), kind, pid: null }).findings[0]?.message).toContain(
      "beyond the robot's limits",
    );
  });

  test("a robot that moves without a command that was seen is inconclusive", () => {
    const still = Array.from({ length: 9 }, () => 0);
    const motion = { t: [0.5, 2, 4], measured: [still, still, still], sent: [null, still.map(() => 1), still] };
    const testRuns = [{ id: "first-run", title: "", duration: 9, events: [], log: [], motion }];
    expect(judged("MOT-001", { testRuns })).toMatchObject({ status: "inconclusive" });
    expect(judged("MOT-001", {})).toMatchObject({ status: "not-applicable" });
  });
});

test("an app that spins without a daemon fails, also when it reconnects in the end", () => {
  const appRuns = [run({ testRun: "daemon-lost" }), run({ testRun: "daemon-silent" })];
  const losses = (cpu: number) => {
    const loss = { cpu, reconnected: true, ended: false };
    return { appRuns, facts: { daemonLosses: { "daemon-lost": { ...loss, cpu: 0.1 }, "daemon-silent": loss } } };
  };
  expect(judged("RES-001", losses(0.97)).findings[0]?.message).toContain("97 % of a processor");
  expect(judged("RES-001", losses(0.1)).status).toBe("pass");
});

test("RES-001 needs both silence and closed connections", () => {
  const loss = { cpu: 0.1, reconnected: true, ended: false };
  const appRuns = [run({ testRun: "daemon-lost" })];
  const { status, reason } = judged("RES-001", { appRuns, facts: { daemonLosses: { "daemon-lost": loss } } });
  expect([status, reason]).toEqual(["inconclusive", "Silence: not run."]);
});

test.each([
  ["processor", { seconds: 10, cpu: 9.8, memory: 8e7, lines: 0 }],
  ["memory", { seconds: 10, cpu: 0.1, memory: 9e8, lines: 0 }],
  ["log", { seconds: 10, cpu: 0.1, memory: 8e7, lines: 5000 }],
])("an app over its budget of %s is warned", (what, usage) => {
  const { status, findings } = judged("RES-004", { appRuns: [run({ usage })] });
  expect([status, findings.map(({ message }) => message)]).toEqual(["warn", [expect.stringContaining(what)]]);
});

test("stops do not concern an app that always ends by itself", () => {
  const ended = { endRequestedAt: null, endCause: "by-itself", phase: null } as const;
  const appRuns = [...goodStops, run({ testRun: "second-sigint" })].map((good) => ({ ...good, ...ended }));
  expect(judged("LIFE-003", { appRuns }).reason).toContain("ended by itself with exit code 0");
  for (const id of ["LIFE-003", "LIFE-011"]) expect(judged(id, { appRuns }).status).toBe("not-applicable");
});

test("UI-003 without a browser is inconclusive and says what is missing", () => {
  const page = { answer: "200", availableAfter: 1, brokenReferences: [], staticFiles: null };
  const evidence = { app: { ...app, page: { url: "http://localhost:8042", port: 8042 } } };
  const facts = { page, browser: { unavailable: "there is no Chromium" } };
  expect(judged("UI-003", { ...evidence, facts })).toMatchObject({
    status: "inconclusive",
    reason: "Console: there is no Chromium.",
  });
  expect(judged("UI-003", { ...evidence, facts: { page, browser: { consoleErrors: [] } } }).status).toBe("pass");
});

test("what the SDK of another dialect does not do is not asked of its apps", () => {
  const other = { ...app, dialect: REACHY_MINI.id, page: { url: "http://localhost:8042", port: 8042 } };
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

test("LIFE-010 sees an app that grows during one run", () => {
  const samples = (bytes: number, open: number) =>
    Array.from({ length: 16 }, (_, at) => ({
      t: at / 2,
      memory: 5e7 + at * bytes,
      descriptors: 10 + at * open,
      files: 0,
    }));
  const cycles = Array.from({ length: 5 }, () => ({ files: 0, memoryBytes: 5e7, descriptors: 10 }));
  expect(judged("LIFE-010", { facts: { cycles, usageSamples: samples(1e4, 0) } }).status).toBe("pass");
  expect(judged("LIFE-010", { facts: { cycles, usageSamples: samples(3e6, 0) } }).findings[0]?.message).toContain(
    "memory grew",
  );
  expect(judged("LIFE-010", { facts: { cycles, usageSamples: samples(0, 2) } }).findings[0]?.message).toContain(
    "descriptors",
  );
});

test("the slope is that of the line through the values", () => {
  expect(slope([3, 5, 7, 9])).toBeCloseTo(2);
  expect(slope([4, 4, 4])).toBe(0);
  expect(slope([5])).toBe(0);
  expect(slope([1, 0, 1, 0, 1])).toBeCloseTo(0);
});
