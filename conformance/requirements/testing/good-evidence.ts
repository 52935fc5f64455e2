import { DEFAULT_POSE } from "../../../robot/description/poses.ts";
import { DEFAULT_DIALECT } from "../../../robot/dialects/dialects.ts";
import { legAngles } from "../../../robot/kinematics/inverse.ts";
import type { AppRun, Command } from "../../evidence/app-run.ts";
import type { Evidence, Facts } from "../../evidence/evidence.ts";

const app: Evidence["app"] = {
  name: "my_app",
  module: "my_app.main",
  className: "MyApp",
  dialect: DEFAULT_DIALECT.id,
  folder: "/my_app",
  sourceRoot: "",
  page: { url: "http://localhost:8042", port: 8042 },
  announcedUrl: "http://localhost:8042",
  staticFolder: "/my_app/my_app/static",
};

/** A run of a good app that was stopped. */
export const goodRun = (testRun: string, changes: Partial<AppRun> = {}): AppRun => ({
  testRun,
  pid: 1,
  startedAt: 0,
  connectAttemptAt: 0.9,
  connectedAt: 1,
  startWaited: 0,
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
  errorReported: false,
  stoppedAfterError: false,
  stopMethod: null,
  leftoverProcesses: [],
  commands: [],
  clippedMoves: [],
  harnessDelays: [],
  processorDelays: [],
  connectionEnds: { 1: 9 },
  sounds: [],
  trespasses: [],
  stderrTail: [],
  defaultPoseError: 0.01,
  motorsOn: true,
  usage: null,
  bytesWritten: 1e6,
  ...changes,
});

/** A message of the SDK socket, by the app's main process unless something else is given. */
export const sdkMessage = (t: number, text: string, changes: Partial<Command> = {}): Command => {
  const { type } = JSON.parse(text) as { type: string };
  return { t, pid: 1, connection: 1, isPublic: false, kind: type, text, ...changes };
};

/** Targets for both antennas, 50 a second from 2 s to 7 s. */
export const targets = (angleAt: (t: number) => number, perSecond = 50): Command[] =>
  Array.from({ length: 5 * perSecond }, (_, at) => {
    const t = 2 + at / perSecond;
    const angle = angleAt(t - 2);
    return sdkMessage(t, `{"type":"set_full_target","antennas":[${angle},${-angle}]}`);
  });

const error = {
  endCause: "error",
  errorInjected: true,
  runRaised: "CertificationError",
  exit: { code: 1, signal: null },
  errorReported: true,
} as const;
const killed = { endCause: "kill", exit: { code: null, signal: "SIGKILL" } } as const;
const usage = { seconds: 8, cpu: 0.5, memory: 8e7, lineRate: 0.4 };
const loss = { cpu: 0.1, reconnected: true, ended: false };
const still = [DEFAULT_POSE.bodyYaw, ...legAngles(DEFAULT_POSE.head, DEFAULT_POSE.bodyYaw), 0, 0];

const facts: Partial<Facts> = {
  install: { refusal: null, staticFiles: 3, missing: [], remains: [], rebuilt: [] },
  imports: { error: null, effects: [], appClass: null },
  page: {
    answer: "200 with text/html",
    availableAfter: 1,
    appEnded: false,
    brokenReferences: [],
    staticFiles: { compared: 3, different: [], unanswered: [] },
  },
  networkPage: { answer: "200 with text/html", availableAfter: 1, appEnded: false },
  browser: { consoleErrors: [] },
  portFreed: true,
  requests: { sent: 60, failed: [], document: { routes: 2 } },
  daemonLosses: { "daemon-lost": loss, "daemon-silent": loss },
  randomUser: { rounds: [{ steps: [{ do: "outage", ms: 500 }], end: "stop" }], problem: null, attempts: 1 },
  shortOutage: { seconds: 2, reconnected: true, ended: false },
  faults: { faults: ["body_yaw overheated"], ended: false },
  cycles: Array.from({ length: 5 }, () => ({ files: 0, memoryBytes: 5e7, descriptors: 10 })),
  usageSamples: Array.from({ length: 16 }, (_, at) => ({
    t: at / 2,
    waited: 0,
    memory: 5e7,
    descriptors: 10,
    files: 2,
    bytes: 4e5,
  })),
};

/** Evidence of an app that meets every requirement. */
export const GOOD_EVIDENCE: Evidence = {
  app,
  appRuns: [
    goodRun("first-run", { usage, commands: targets((t) => 0.2 * Math.sin(t)) }),
    goodRun("stop-while-importing", { phase: "importing", connectedAt: null }),
    goodRun("stop-while-connecting", { phase: "connecting", connectedAt: null }),
    ...Array.from({ length: 3 }, () => goodRun("stop-early")),
    goodRun("stop-during-goto", { phase: "mid-goto" }),
    goodRun("second-sigint", { endCause: "second-sigint" }),
    goodRun("stop-event-alone", { endCause: "stop-event" }),
    goodRun("stop-event-alone", { endCause: "stop-method", stopMethod: "sets-event" }),
    goodRun("run-by-hand"),
    goodRun("error-in-run", error),
    goodRun("error-in-run"),
    goodRun("killed", killed),
    goodRun("killed"),
    ...Array.from({ length: 5 }, () => goodRun("restart-cycles")),
    goodRun("start-as-startup-app"),
    goodRun("start-by-antenna"),
    goodRun("random-requests", { commands: targets((t) => 0.2 * Math.sin(t)) }),
    goodRun("port-taken", { endCause: "port-taken", endRequestedAt: null, exit: { code: 1, signal: null } }),
    goodRun("daemon-lost", { endCause: "daemon-lost" }),
    goodRun("daemon-silent", { endCause: "daemon-lost" }),
    goodRun("servo-fault"),
    goodRun("slow-robot"),
    goodRun("random-user"),
    goodRun("long-run", killed),
    goodRun("long-run"),
  ],
  testRuns: [
    {
      ...{ id: "first-run", title: "", duration: 10, events: [], log: [] },
      motion: { t: [0.5, 1.5], measured: [still, still], sent: [still, still] },
    },
  ],
  facts,
  harnessFailures: new Map(),
};
