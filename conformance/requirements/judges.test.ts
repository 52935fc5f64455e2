import { expect, test } from "vitest";
import { judge } from "../certify/judge.ts";
import type { Evidence } from "../evidence/evidence.ts";
import type { Command, Run } from "../evidence/run.ts";
import { slope } from "./life-010-no-growth.ts";
import { DYNAMIC } from "./registry.ts";

const app = { name: "my_app", module: "my_app.main", className: "MyApp", folder: "/my_app", page: null };
const run = (facts: Partial<Run> = {}): Run => ({
  scene: "first-run",
  pid: 1,
  startedAt: 0,
  connectedAt: 1,
  enteredAt: 1.1,
  leftAt: 9,
  raised: null,
  ending: "stop",
  phase: "running",
  askedAt: 8.9,
  endedAt: 9.1,
  exit: { code: 0, signal: null },
  grace: 5,
  forced: false,
  leftovers: [],
  commands: [],
  lastErrors: [],
  offDefault: 0.01,
  held: true,
  usage: { seconds: 8, cpu: 0.5, memory: 8e7, lines: 3 },
  ...facts,
});
const judged = (id: string, evidence: Partial<Evidence>) => {
  const requirement = DYNAMIC.find((each) => each.id === id);
  if (requirement === undefined) throw new Error(id);
  const all: Evidence = { app, runs: [run()], scenes: [], facts: {}, broken: new Map(), ...evidence };
  return judge(requirement, all).judgement;
};
const sent = (text: string, t = 2): Command => ({ t, pid: 1, kind: "set_full_target", text });

test("what was seen in a scene that broke counts neither for nor against the app", () => {
  const broken = new Map([["first-run", "the daemon fell over"]]);
  const { status, reason, findings } = judged("LIFE-003", { runs: [run({ exit: { code: 3, signal: null } })], broken });
  expect({ status, reason, findings }).toEqual({
    status: "error",
    reason: "first-run: the daemon fell over",
    findings: [],
  });
});

test("a failure in a sound scene stands, though another one broke", () => {
  const broken = new Map([["stop-early", "the daemon fell over"]]);
  expect(judged("LIFE-003", { runs: [run({ exit: { code: 3, signal: null } })], broken }).status).toBe("fail");
});

test("a check that throws is an error of its own", () => {
  const runs = [run({ commands: null as never })];
  expect(judged("MOT-001", { runs }).status).toBe("error");
});

test("a finding stands at the innermost line of the app in a traceback", () => {
  const lastErrors = [
    '  File "/v/site-packages/my_app/main.py", line 7, in run',
    '  File "/v/site-packages/my_app/arm.py", line 40, in lift',
    '  File "/v/site-packages/numpy/core.py", line 1, in dot',
  ];
  const { findings } = judged("LIFE-003", { runs: [run({ exit: { code: 1, signal: null }, lastErrors })] });
  expect(findings[0]).toMatchObject({ file: "my_app/arm.py", line: 40 });
});

test("what happens several times is one finding", () => {
  const again = run({ exit: { code: 3, signal: null } });
  const { findings } = judged("LIFE-003", { runs: [again, { ...again }, { ...again, phase: "mid-goto" }] });
  expect(findings.map(({ message }) => message)).toEqual([
    expect.stringMatching(/while running.*\(2 times\)$/),
    expect.stringMatching(/while mid-goto.*Python\.$/),
  ]);
});

test("numbers that are no numbers are told of", () => {
  const { status, findings } = judged("MOT-001", {
    runs: [run({ commands: [sent('{"type":"set_full_target","antennas":[NaN,0]}')] })],
  });
  expect([status, findings[0]?.message]).toEqual(["fail", expect.stringContaining("antennas")]);
});

test("an app that spins without a daemon fails, also when it is back in the end", () => {
  const drop = { silent: false, cpu: 0.97, reconnected: true, ended: false };
  expect(judged("RES-001", { facts: { drop } }).findings[0]?.message).toContain("97 % of a processor");
  expect(judged("RES-001", { facts: { drop: { ...drop, cpu: 0.1 } } }).status).toBe("pass");
});

test.each([
  ["processor", { seconds: 10, cpu: 9.8, memory: 8e7, lines: 0 }],
  ["memory", { seconds: 10, cpu: 0.1, memory: 9e8, lines: 0 }],
  ["log", { seconds: 10, cpu: 0.1, memory: 8e7, lines: 5000 }],
])("an app over its budget of %s is warned", (what, usage) => {
  const { status, findings } = judged("RES-004", { runs: [run({ usage })] });
  expect([status, findings.map(({ message }) => message)]).toEqual(["warn", [expect.stringContaining(what)]]);
});

test("an app that cannot be asked to stop in time is skipped, not passed", () => {
  const ended = run({ askedAt: null, ending: "by-itself", phase: null });
  for (const id of ["LIFE-003", "MOT-004", "LIFE-011"]) expect(judged(id, { runs: [ended] }).status).toBe("skip");
});

test("the slope of a line is its slope, whatever comes and goes around it", () => {
  expect(slope([3, 5, 7, 9])).toBeCloseTo(2);
  expect(slope([4, 4, 4])).toBe(0);
  expect(slope([5])).toBe(0);
  expect(slope([1, 0, 1, 0, 1])).toBeCloseTo(0);
});
