import type { AppRun } from "../../evidence/app-run.ts";
import type { DaemonLossFacts } from "../../evidence/evidence.ts";
import { LOSS_LIMIT } from "../../test-runs/limits.ts";
import {
  type Aspect,
  type DynamicRequirement,
  describeEnd,
  endedByItself,
  formatSeconds,
  judgeByAspects,
  observe,
} from "../requirement.ts";

/** Share of a processor that an app may use while it waits for a daemon, or its usual one with this much added. */
const SPINNING = 0.6;
const ADDED = 0.2;

const LOSSES = [
  { testRun: "daemon-lost", name: "connections closed", how: "closed its connections" },
  { testRun: "daemon-silent", name: "silence", how: "went silent" },
] as const;

export const daemonLost: DynamicRequirement = {
  id: "RES-001",
  level: "MUST",
  section: "3",
  title: "When the daemon is lost, the app ends or reconnects within 10 s, without spinning",
  mutants: ["RES-001-goes-on", "RES-001-waits-in-silence", "RES-001-spins-without-a-daemon"],
  advisoryInOtherDialects: {
    why: "The contract is silent about a lost daemon. Their SDK raises ConnectionError in a call, and never sets stop_event.",
    fix: "Their SDK never sets stop_event then: a loop that catches exceptions must let ConnectionError pass.",
  },
  testRuns: ["first-run", ...LOSSES.map(({ testRun }) => testRun)],
  judge({ facts: { daemonLosses = {} }, appRuns }) {
    // An app that always computes much does not spin: RES-004 judges that.
    const usual = appRuns.find(({ testRun }) => testRun === "first-run")?.usage?.cpu ?? 0;
    const limit = Math.max(SPINNING, usual + ADDED);
    const aspects = LOSSES.map((loss): Aspect => {
      const run = appRuns.find(({ testRun }) => testRun === loss.testRun);
      return aspectOf(loss, run, daemonLosses[loss.testRun], limit);
    });
    const shares = Object.values(daemonLosses).map(({ cpu }) => cpu);
    const value = 100 * Math.max(0, ...shares);
    return judgeByAspects(
      aspects,
      shares.length === 0 ? [] : [{ name: "processor without a daemon", value, unit: "%", limit: 100 * limit }],
    );
  },
};

function aspectOf(
  { testRun, name, how }: (typeof LOSSES)[number],
  run: AppRun | undefined,
  loss: DaemonLossFacts | undefined,
  limit: number,
): Aspect {
  const aspect = { name, met: [], violations: [], unobserved: "not run" };
  if (run === undefined) return aspect;
  if (loss === undefined) {
    const fact = `the app ${describeEnd(run)} before the daemon was lost`;
    return endedByItself(run) ? { ...aspect, notApplicable: fact } : { ...aspect, unobserved: fact };
  }
  // An app that ended in a short outage was not asked to.
  const t = run.endRequestedAt ?? run.startedAt;
  const neither = `The daemon ${how}, and ${LOSS_LIMIT} s later the app had neither ended nor reconnected. Leave run() when stop_event is set, and let ConnectionError pass.`;
  const spins = `While the daemon was lost the app used ${(100 * loss.cpu).toFixed(0)} % of a processor; at most ${(100 * limit).toFixed(0)} % is not spinning. Sleep between attempts.`;
  const violations = [
    ...(loss.ended || loss.reconnected ? [] : [{ message: neither, testRun, t }]),
    ...(loss.cpu > limit ? [{ message: spins, testRun, t }] : []),
  ];
  const after = run.exitedAt === null ? "" : ` after ${formatSeconds(run.exitedAt - t)}`;
  const what = loss.ended ? `the app ended${after}` : "the app reconnected";
  const text = `the daemon ${how}: ${what}, with ${(100 * loss.cpu).toFixed(0)} % of a processor`;
  return { ...aspect, met: violations.length === 0 ? [observe(run, text, t)] : [], violations };
}
