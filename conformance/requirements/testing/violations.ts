import type { AppRun } from "../../evidence/app-run.ts";
import type { Evidence, Facts } from "../../evidence/evidence.ts";
import { TRESPASSES } from "../../evidence/trespass.ts";
import { GOOD_EVIDENCE, sdkMessage, targets } from "./good-evidence.ts";

/** One way to violate a requirement: good evidence with one thing changed. */
export interface Violation {
  id: string;
  name: string;
  evidence: Evidence;
}

/** Changes the last run of a test run, or the one with an end cause. */
function inRun(testRun: string, changes: Partial<AppRun>, endCause?: AppRun["endCause"]): Evidence {
  const { appRuns } = GOOD_EVIDENCE;
  const isIt = (run: AppRun) => run.testRun === testRun && (endCause === undefined || run.endCause === endCause);
  const at = appRuns.findLastIndex(isIt);
  return { ...GOOD_EVIDENCE, appRuns: appRuns.map((run, index) => (index === at ? { ...run, ...changes } : run)) };
}

const withFacts = (facts: Partial<Facts>): Evidence => ({
  ...GOOD_EVIDENCE,
  facts: { ...GOOD_EVIDENCE.facts, ...facts },
});

/** Ends each run of stop-early by itself, except for the last. */
function briefApp(evidence: Evidence): Evidence {
  const isEarly = ({ testRun }: AppRun) => testRun === "stop-early";
  const last = evidence.appRuns.findLast(isEarly);
  const ended = { endRequestedAt: null, endCause: "by-itself" } as const;
  const appRuns = evidence.appRuns.map((run) => (isEarly(run) && run !== last ? { ...run, ...ended } : run));
  return { ...evidence, appRuns };
}

const FORCED: Partial<AppRun> = { forceStopped: true, exitedAt: 15, exit: { code: null, signal: "SIGKILL" } };
/** Its run() goes on until it is killed, which closes its connection. */
const UNENDING: Partial<AppRun> = { ...FORCED, disconnectedAt: 15, runLeftAt: null };
const NEVER_CONNECTED: Partial<AppRun> = { connectedAt: null, endRequestedAt: null, exit: { code: 1, signal: null } };
const TOO_FAR = [sdkMessage(2, '{"type":"set_full_target","antennas":[9,0]}')];
const LATE = [sdkMessage(12, '{"type":"set_full_target","antennas":[0.1,0]}', { pid: 2, connection: 2 })];
/** From a connection that stays open. */
const LATE_BY_ID = LATE.map((late) => ({ ...late, pid: 1 }));
const STOPS = ["first-run", "stop-early", "stop-during-goto"];
const install = GOOD_EVIDENCE.facts.install as Facts["install"];
const page = GOOD_EVIDENCE.facts.page as Facts["page"];
const growing = (memory: number, descriptors: number, files: number, bytes = 0) =>
  Array.from({ length: 16 }, (_, at) => ({
    t: at / 2,
    waited: 0,
    memory: 5e7 + at * memory,
    descriptors: 10 + at * descriptors,
    files: at * files,
    bytes: 4e5 + at * bytes,
  }));
const cycles = (files: number, memory: number, descriptors: number) =>
  Array.from({ length: 5 }, (_, at) => ({
    files: at * files,
    memoryBytes: 5e7 + at * memory,
    descriptors: 10 + at * descriptors,
  }));
const losing = (testRun: string, loss: Facts["daemonLosses"][string]) =>
  withFacts({ daemonLosses: { ...GOOD_EVIDENCE.facts.daemonLosses, [testRun]: loss } });
const usage = (changes: Partial<NonNullable<AppRun["usage"]>>): Evidence =>
  inRun("first-run", { usage: { seconds: 8, cpu: 0.06, memory: 8e7, lineRate: 0.4, ...changes } });

const named = (id: string, cases: Record<string, Evidence>): Violation[] =>
  Object.entries(cases).map(([name, evidence]) => ({ id, name, evidence }));
const inEach = (testRuns: readonly string[], changes: Partial<AppRun>): Record<string, Evidence> =>
  Object.fromEntries(testRuns.map((testRun) => [testRun, inRun(testRun, changes)]));

/** Every violation of every requirement. */
export const VIOLATIONS: readonly Violation[] = [
  ...named("PKG-009", {
    "static/ is not installed": withFacts({ install: { ...install, missing: ["index.html"] } }),
    "remains after the uninstall": withFacts({ install: { ...install, remains: ["lib/my_app"] } }),
  }),
  ...named("PKG-020", {
    "another wheel from the same files": withFacts({ install: { ...install, rebuilt: ["my_app/main.py"] } }),
  }),
  ...named("PKG-010", {
    "a side effect": withFacts({
      imports: { error: null, effects: [{ what: "starts a thread", file: "main.py", line: 1 }], appClass: null },
    }),
  }),
  ...TRESPASSES.flatMap((kind, at) =>
    named(`ENV-00${at + 1}`, inEach(["first-run", "restart-cycles"], { trespasses: [{ kind, what: "did it" }] })),
  ),
  ...named("LIFE-001", { "no connection": inRun("first-run", NEVER_CONNECTED) }),
  ...named("LIFE-013", {
    "an exception": inRun("first-run", {
      endRequestedAt: null,
      exit: { code: 1, signal: null },
      stderrTail: ["Traceback (most recent call last):", "KeyError: 'x'"],
    }),
    "a crash of a library": inRun("first-run", {
      endRequestedAt: null,
      exit: { code: null, signal: "SIGSEGV" },
    }),
  }),
  ...named("LIFE-002", {
    "no connection": inRun("run-by-hand", NEVER_CONNECTED),
    "an error": inRun("run-by-hand", { endRequestedAt: null, exit: { code: 1, signal: null } }),
  }),
  ...named("LIFE-003", inEach(STOPS, FORCED)),
  ...named("LIFE-003", { "of a brief app": briefApp(inRun("stop-early", FORCED)) }),
  ...named("LIFE-003", { "exit code": inRun("first-run", { exit: { code: 3, signal: null } }) }),
  ...named("LIFE-003", inEach(["killed", "restart-cycles", "random-requests", "long-run"], FORCED)),
  ...named("LIFE-003", {
    "exit code without a terminal": inRun("run-by-hand", { exit: { code: 1, signal: null } }),
    "ignores the stop after a loss of the daemon": inRun("daemon-silent", FORCED),
  }),
  ...named("LIFE-004", {
    "stop event": inRun("stop-event-alone", UNENDING, "stop-event"),
    "stop()": inRun("stop-event-alone", UNENDING, "stop-method"),
    "closes its connection just before it is killed": inRun("stop-event-alone", { ...UNENDING, disconnectedAt: 13 }),
    "stop() ends the process": inRun("stop-event-alone", { stopMethod: "called" }, "stop-method"),
  }),
  ...named("LIFE-005", inEach(["stop-while-importing", "stop-while-connecting"], FORCED)),
  ...named(
    "LIFE-007",
    inEach(["first-run", "stop-early", "stop-event-alone", "random-requests"], { disconnectedAt: 4, exitedAt: 9.1 }),
  ),
  ...named("LIFE-007", {
    "keeps a second connection for a while after run()": inRun("stop-early", {
      runLeftAt: 4,
      disconnectedAt: 6.5,
      exitedAt: 8.5,
      connectionEnds: { 1: 4, 2: 6.5 },
    }),
    "connects again after run()": inRun("stop-early", { runLeftAt: 4, disconnectedAt: 9 }),
    "closes its connection and is killed": inRun("stop-event-alone", { ...FORCED, disconnectedAt: 9, runLeftAt: null }),
  }),
  ...named("LIFE-008", {
    "exit code 0": inRun("error-in-run", { exit: { code: 0, signal: null } }, "error"),
    "no traceback": inRun("error-in-run", { errorReported: false }, "error"),
    "waits for its stop after it": inRun("error-in-run", { stoppedAfterError: true }, "error"),
    "must be killed after it": inRun(
      "error-in-run",
      { ...FORCED, stoppedAfterError: true, runLeftAt: null, runRaised: null },
      "error",
    ),
    "killed after it": inRun("error-in-run", FORCED, "error"),
  }),
  ...named("LIFE-009", {
    "an error right after it connected again": inRun("killed", {
      endRequestedAt: null,
      exit: { code: 1, signal: null },
    }),
  }),
  ...named("RES-005", {
    "in files that it deletes": withFacts({ usageSamples: growing(0, 0, 0, 3e7) }),
    "on a request": inRun("random-requests", { bytesWritten: 3e8 }),
  }),
  ...named("LIFE-010", {
    files: withFacts({ cycles: cycles(5, 0, 0) }),
    "memory over restarts": withFacts({ cycles: cycles(0, 2e7, 0) }),
    "descriptors over restarts": withFacts({ cycles: cycles(0, 0, 10) }),
    "memory in one run": withFacts({ usageSamples: growing(3e6, 0, 0) }),
    "descriptors in one run": withFacts({ usageSamples: growing(0, 2, 0) }),
    "files in one run": withFacts({ usageSamples: growing(0, 0, 1) }),
    "bytes in one run": withFacts({ usageSamples: growing(0, 0, 0, 2e6) }),
  }),
  ...named("LIFE-011", { "begins anew": inRun("second-sigint", FORCED) }),
  ...named("LIFE-012", inEach(["start-as-startup-app", "start-by-antenna"], NEVER_CONNECTED)),
  ...named("LIFE-012", {
    "is killed": inRun("start-as-startup-app", FORCED),
    "exit code": inRun("start-by-antenna", { exit: { code: 1, signal: null } }),
  }),
  ...named(
    "LIFE-006",
    inEach(["error-in-run", "start-as-startup-app", "daemon-lost"], { leftoverProcesses: ["sleep 9"] }),
  ),
  ...named("MOT-003", inEach(["error-in-run", "start-as-startup-app", "daemon-lost"], { commands: LATE })),
  ...named("MOT-003", { "a child with the app's id": inRun("first-run", { commands: LATE_BY_ID }) }),
  ...named("MOT-004", inEach(["start-as-startup-app", "start-by-antenna"], { defaultPoseError: 0.4 })),
  ...named("MOT-001", inEach(["first-run", "random-requests", "servo-fault"], { commands: TOO_FAR })),
  ...named("MOT-001", {
    "with a page without a document": {
      ...inRun("random-requests", { commands: TOO_FAR }),
      facts: {
        ...GOOD_EVIDENCE.facts,
        requests: { sent: 0, failed: [], document: { missing: "GET /openapi.json gave 404" } },
      },
    },
  }),
  ...named("MOT-002", { jumps: inRun("first-run", { commands: targets((t) => (t % 1 < 0.5 ? 0 : 1.5)) }) }),
  ...named("MOT-005", {
    "first step": inRun("first-run", { commands: targets(() => 1.2) }),
    rate: inRun("first-run", { commands: targets((t) => 0.2 * Math.sin(t), 400) }),
  }),
  ...named("UI-001", { "no page": withFacts({ page: { ...page, availableAfter: null } }) }),
  ...named("UI-002", {
    "port is not freed": withFacts({ portFreed: false }),
    "port is not freed after its own end": {
      ...inRun("first-run", { endRequestedAt: null, endCause: "by-itself" }),
      facts: { ...GOOD_EVIDENCE.facts, page: { ...page, appEnded: true }, portFreed: false },
    },
    "goes on without its port": inRun("port-taken", { endRequestedAt: 10 }),
  }),
  ...named("UI-003", {
    "missing file": withFacts({ page: { ...page, brokenReferences: ["/a.js (404)"] } }),
    "console error": withFacts({ browser: { consoleErrors: ["x is not defined"] } }),
  }),
  ...named("UI-004", {
    "5xx": withFacts({ requests: { sent: 60, failed: ["POST /energy: 500"], document: { routes: 2 } } }),
    "the app ends": inRun("random-requests", { endRequestedAt: null, exit: { code: 1, signal: null } }),
  }),
  ...named("UI-005", {
    "other content": withFacts({
      page: { ...page, staticFiles: { compared: 3, different: ["main.js"], unanswered: [] } },
    }),
    "other content beside a file without an answer": withFacts({
      page: { ...page, staticFiles: { compared: 3, different: ["main.js"], unanswered: ["style.css"] } },
    }),
  }),
  ...named("UI-006", {
    "no page": withFacts({ networkPage: { answer: "no answer", availableAfter: null, appEnded: false } }),
  }),
  ...named("RES-001", {
    "goes on without connections": losing("daemon-lost", { cpu: 0.1, reconnected: false, ended: false }),
    "spins without connections": losing("daemon-lost", { cpu: 0.99, reconnected: true, ended: false }),
    "goes on in silence": losing("daemon-silent", { cpu: 0.1, reconnected: false, ended: false }),
    "spins in silence": losing("daemon-silent", { cpu: 0.99, reconnected: true, ended: false }),
  }),
  ...named("RES-002", { "no connection": inRun("slow-robot", NEVER_CONNECTED), killed: inRun("slow-robot", FORCED) }),
  ...named("RES-003", {
    crash: {
      ...inRun("servo-fault", { endRequestedAt: null, exit: { code: 1, signal: null } }),
      facts: { ...GOOD_EVIDENCE.facts, faults: { faults: ["body_yaw overheated"], ended: true } },
    },
    killed: inRun("servo-fault", FORCED),
  }),
  ...named("RES-004", {
    processor: usage({ cpu: 0.9 }),
    memory: usage({ memory: 9e8 }),
    log: usage({ lineRate: 110 }),
  }),
  ...named("RES-006", {
    ends: {
      ...inRun("daemon-lost", { endRequestedAt: null, exit: { code: 1, signal: null } }),
      facts: { ...GOOD_EVIDENCE.facts, shortOutage: { seconds: 2, reconnected: false, ended: true } },
    },
    "stays disconnected": withFacts({ shortOutage: { seconds: 2, reconnected: false, ended: false } }),
  }),
  ...named("RES-007", {
    "a problem": withFacts({ randomUser: { rounds: [], problem: "exited with code 1", attempts: 3 } }),
  }),
];

/** Violations of requirements that hold in several test runs: one for each test run that shows them. */
export const violationsIn = (id: string, testRuns: readonly string[]): Violation[] => {
  const changes: Record<string, Partial<AppRun>> = {
    "LIFE-006": { leftoverProcesses: ["sleep 300"] },
    "LIFE-009": NEVER_CONNECTED,
    "MOT-003": { commands: LATE },
    "MOT-004": { defaultPoseError: 0.4 },
    "RES-005": { bytesWritten: 3e8 },
  };
  const change = changes[id];
  if (change === undefined) return [];
  const endCauses: Record<string, AppRun["endCause"]> =
    id === "MOT-004" ? { "error-in-run": "error", killed: "kill" } : {};
  return testRuns.map((testRun) => ({ id, name: testRun, evidence: inRun(testRun, change, endCauses[testRun]) }));
};
