import {
  countOutcomes,
  type Environment,
  type Judgement,
  type TestRun,
  type TestRunEvent,
  type Verdict,
} from "../../verdict/verdict.ts";
import { motionOf, type TargetPose } from "./motions.ts";

/** Would end a script element, an attribute or a comment if it were not packed. */
export const HOSTILE = `</script><script>document.title="taken over"</script><!-- " onload="alert(1) & <img src=x onerror=alert(1)>`;

const TITLES: readonly (readonly [id: string, level: "MUST" | "SHOULD", title: string])[] = [
  ["PKG-001", "MUST", "The landing page: index.html and style.css at the root, not empty"],
  ["PKG-003", "MUST", 'One entry point in the group robot_apps: <app_name> = "<app_name>.main:<ClassName>"'],
  ["PKG-006", "MUST", "The class extends RobotApp and has def run(self, robot, stop_event), not async"],
  ["PKG-009", "MUST", "It installs in a clean environment, registers its entry point and uninstalls cleanly"],
  ["PKG-011", "SHOULD", "No secrets and no .env in the package"],
  ["LIFE-001", "MUST", "python -u -m <app_name>.main connects in time"],
  ["LIFE-003", "MUST", "SIGINT leads to exit 0 within the grace period, whatever the app is doing"],
  ["LIFE-004", "MUST", "The stop event alone ends run()"],
  ["LIFE-008", "MUST", "An unhandled error gives a nonzero exit and a traceback"],
  ["LIFE-010", "SHOULD", "20 cycles without growth of memory, descriptors and temporary files"],
  ["MOT-001", "MUST", "Targets are finite and within the robot's limits"],
  ["MOT-002", "SHOULD", "Velocity, acceleration and jerk stay within the profile"],
  ["MOT-004", "MUST", "A stop in mid-goto still ends in the default pose"],
  ["UI-001", "MUST", "With a URL set, GET / answers 200 HTML on its port in time"],
  ["RES-001", "MUST", "A daemon that drops away: the app reconnects or exits in time, without spinning"],
  ["RES-004", "SHOULD", "CPU, memory and log rate within budget over 60 s"],
];

const DETAILS: Readonly<Record<string, Partial<Judgement>>> = {
  "PKG-011": {
    status: "warn",
    findings: [{ message: "There is a .env in the package; leave it out.", file: ".env", line: null }],
  },
  "LIFE-001": {
    measured: [{ name: "connected after", value: 0.62, unit: "s", limit: 10 }],
    testRuns: ["run-and-stop"],
  },
  "LIFE-003": {
    measured: [
      { name: "stop p50", value: 0.041, unit: "s", limit: 5 },
      { name: "stop p90", value: 0.38, unit: "s", limit: 5 },
      { name: "stop p99", value: 1.9, unit: "s", limit: 5 },
      { name: "stop longest", value: 2.4, unit: "s", limit: 5 },
    ],
    testRuns: ["run-and-stop", "stop-in-mid-goto"],
  },
  "LIFE-008": { testRuns: ["crash"] },
  "LIFE-010": { measured: [{ name: "memory per cycle", value: 0.02, unit: "MB", limit: 0.5 }] },
  "MOT-002": {
    status: "warn",
    findings: [{ message: "The right antenna was sent 14.2 rad/s; 8 rad/s are allowed.", file: "", line: null }],
    measured: [
      { name: "velocity", value: 14.2, unit: "rad/s", limit: 8 },
      { name: "acceleration", value: 41, unit: "rad/s²", limit: 80 },
      { name: "jerk", value: 900, unit: "rad/s³", limit: 4000 },
    ],
    testRuns: ["run-and-stop"],
  },
  "MOT-004": {
    status: "fail",
    findings: [
      { message: "stewart_2 stands 0.31 rad from its default, at most 0.05 rad are allowed.", file: "", line: null },
    ],
    measured: [{ name: "off the default pose", value: 0.31, unit: "rad", limit: 0.05 }],
    observations: [{ text: "stewart_2 at 0.31 rad 1.5 s after the end", testRun: "stop-in-mid-goto", t: 7.1 }],
    testRuns: ["stop-in-mid-goto"],
    attempts: [
      {
        ...{ name: "retry-1", status: "fail", reason: null, observations: [], testRuns: [] },
        findings: [{ message: "stewart_2 stands 0.29 rad from its default.", file: "", line: null }],
      },
      {
        ...{ name: "control", status: "pass", findings: [], reason: null, testRuns: [] },
        observations: [{ text: "all joints within 0.01 rad of their default", testRun: null, t: null }],
      },
    ],
  },
  "UI-001": { status: "not-applicable", reason: "The app has no custom_app_url." },
  "RES-004": {
    status: "inconclusive",
    reason: "The app ran for 12 s; 60 s are needed.",
    observations: [{ text: "the app ended by itself", testRun: "run-and-stop", t: 9.06 }],
    testRuns: ["run-and-stop"],
  },
  "RES-001": { status: "error", reason: "robot-sim did not give its address within 10 s.", testRuns: ["daemon-away"] },
};

const judgements: readonly Judgement[] = TITLES.map(([id, level, title]) => ({
  ...{ id, level, title, section: "2.3", status: "pass", findings: [], reason: null },
  ...{ testRuns: [], measured: [], observations: [], attempts: [] },
  ...DETAILS[id],
}));

const moving = (t: number): TargetPose => ({
  yaw: 0.45 * Math.sin(0.9 * t),
  pitch: 0.14 * Math.sin(1.7 * t),
  roll: 0.1 * Math.sin(1.3 * t),
  z: 0.006 * Math.sin(2.1 * t),
  body: 0.25 * Math.sin(0.45 * t),
  antennas: [-0.4 + 0.5 * Math.sin(3.1 * t), 0.4 + 0.5 * Math.sin(3.1 * t + 1)],
});

const scaled = (target: TargetPose, share: number): TargetPose => ({
  yaw: (target.yaw ?? 0) * share,
  pitch: (target.pitch ?? 0) * share,
  roll: (target.roll ?? 0) * share,
  z: (target.z ?? 0) * share,
  body: (target.body ?? 0) * share,
});

/** Moves between two times, and fades in and out within a second. */
const movingFrom = (from: number, to: number) => (t: number) =>
  scaled(moving(t), Math.max(0, Math.min(1, t - from, to + 1 - t)));

const slot = (t: number, state: NonNullable<TestRunEvent["state"]>, text: string = state): TestRunEvent => ({
  ...{ t, kind: "slot", state, text },
  level: state === "error" ? "error" : "info",
});
const event = (t: number, kind: "action" | "robot" | "finding", text: string): TestRunEvent => ({
  ...{ t, kind, state: null, text },
  level: kind === "finding" ? "error" : "info",
});
const printed = (from: number, to: number, every: number, text: (i: number) => string): TestRun["log"] =>
  Array.from({ length: Math.floor((to - from) / every) }, (_, i) => ({
    ...{ t: Number((from + i * every).toFixed(3)), text: text(i) },
    stream: i % 17 === 16 ? "stderr" : "stdout",
  }));

const TEST_RUNS: readonly TestRun[] = [
  {
    ...{ id: "run-and-stop", title: "Run for a while, then stop", duration: 12 },
    events: [
      event(0.5, "action", "start hello_robot"),
      slot(0.51, "starting"),
      slot(1.15, "running"),
      event(4.2, "finding", "MOT-002: The right antenna was sent 14.2 rad/s"),
      event(9, "action", "stop while the app is running"),
      slot(9.01, "stopping"),
      slot(9.06, "done"),
      event(9.1, "robot", "returning to the default pose"),
    ],
    log: printed(1.2, 9, 0.21, (i) => (i === 5 ? HOSTILE : `looking around, round ${i}`)),
    motion: motionOf(12, movingFrom(1.2, 9.05)),
  },
  {
    ...{ id: "stop-in-mid-goto", title: "Stop in the middle of a goto", duration: 8 },
    events: [
      event(0.4, "action", "start hello_robot"),
      slot(0.42, "starting"),
      slot(1.1, "running"),
      event(3.2, "action", "stop while the app is mid-goto"),
      slot(3.21, "stopping"),
      slot(5.6, "done"),
      event(5.62, "robot", "returning to the default pose"),
      event(7.1, "finding", "MOT-004: stewart_2 stands 0.31 rad from its default, at most 0.05 rad are allowed."),
    ],
    log: printed(1.1, 5.5, 0.06, (i) => `goto step ${i}`),
    motion: motionOf(8, (t) => scaled({ yaw: 0.5, pitch: 0.2, z: 0.01 }, Math.max(0, Math.min(1, (t - 1.2) / 2.4)))),
  },
  {
    ...{ id: "crash", title: "An error in run()", duration: 6 },
    events: [
      event(0.4, "action", "start hello_robot"),
      slot(0.41, "starting"),
      slot(1, "running"),
      event(2.5, "action", "raise an error in run()"),
      slot(2.62, "error", "ended with code 1"),
    ],
    log: [
      { t: 2.55, stream: "stderr", text: "Traceback (most recent call last):" },
      { t: 2.56, stream: "stderr", text: '  File "hello_robot/main.py", line 31, in run' },
      { t: 2.56, stream: "stderr", text: "\u001b[31mRuntimeError\u001b[0m: asked for by the harness" },
    ],
    motion: motionOf(6, (t) => (t > 5 ? null : movingFrom(1, 2.5)(t))),
  },
  {
    ...{ id: "daemon-away", title: "The daemon drops away", duration: 0 },
    ...{ events: [], log: [], motion: { t: [], measured: [], sent: [] } },
  },
];

const sampleEnvironment: Environment = {
  ...{ suite: "0.1.0", daemon: "0.1.0", simulator: "0.1.0", sdk: "0.1.0", python: "3.11.2" },
  dependencies: { numpy: "2.3.5", "robot-sdk": "0.1.0", websockets: "15.0.1" },
  options: { thorough: false, jobs: 4, retries: 0, failFast: false, allowNetwork: false },
  machine: { system: "linux 6.12", architecture: "x64", processors: 2, memoryGb: 8 },
};

/** A certification with one example of everything. */
export function exampleVerdict(changes: Partial<Verdict> = {}): Verdict {
  const results = changes.results ?? judgements;
  return {
    ...{ format: "robot-app-verdict", version: "0.1.0", digest: `sha256:${"5e".repeat(32)}`, only: null },
    ...{ seed: 2026112109, startedAt: "2026-11-21T11:54:34.000Z", duration: 74.2 },
    ...{ verdict: "not-conformant", app: "hello_robot", folder: "/home/me/hello_robot" },
    dirHash: "5e".repeat(32),
    environment: sampleEnvironment,
    ...{ formatVersion: 2, isolation: { sandbox: "bubblewrap", reason: null, network: "namespace" } },
    counts: countOutcomes(results),
    results,
    testRuns: TEST_RUNS,
    ...changes,
  };
}

/** The largest certification: 15 test runs of 60 s with 2000 lines each, and motion that never repeats. */
export function bigVerdict(): Verdict {
  const motion = motionOf(60, moving);
  const testRuns = Array.from({ length: 15 }, (_, testRun): TestRun => {
    const noise = (row: readonly number[], i: number) =>
      row.map((angle, joint) =>
        Number((angle + 0.01 * Math.sin(1e4 * Math.sin(i * 9 + joint + testRun * 7919))).toFixed(4)),
      );
    return {
      ...{ id: `test-run-${testRun}`, title: `Test run ${testRun}`, duration: 60 },
      events: [slot(0.5, "starting"), slot(1, "running"), slot(58, "stopping"), slot(58.1, "done")],
      log: printed(1, 58, 0.0285, (i) => `line ${i} of test run ${testRun}: ${(i * 7919 + testRun) % 104729}`),
      motion: {
        t: motion.t,
        measured: motion.measured.map(noise),
        sent: motion.sent.map((row, i) => row && noise(row, i + 5)),
      },
    };
  });
  return exampleVerdict({ testRuns });
}
