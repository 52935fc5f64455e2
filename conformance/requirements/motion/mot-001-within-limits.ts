import { JOINTS } from "../../../robot/description/joints.ts";
import { previewClip } from "../../../robot/motion/limits/preview-clip.ts";
import { WorkbenchError } from "../../../robot/wire/errors.ts";
import { type AppRun, isMotion } from "../../evidence/app-run.ts";
import type { Evidence } from "../../evidence/evidence.ts";
import { DEFAULT_JOINTS } from "../../runner/observe/default-pose.ts";
import { declaresNoRoutes, unsentRequestsReason } from "../page/unsent-requests-reason.ts";
import {
  type Aspect,
  type DynamicRequirement,
  judgeByAspects,
  NO_PAGE,
  observe,
  type Violation,
} from "../requirement.ts";
import { oncePerRun } from "./once-per-run.ts";
import { targetsOf } from "./targets.ts";

const NEUTRAL = JOINTS.map(() => 0);
/** Where the path of a request to play a recorded move begins. */
const PLAY = "/api/move/play/recorded-move-dataset/";
/** Radians between servo targets and the default pose that count as motion. */
const MOVED = 0.03;
const NO_TARGETS = "the app sent no targets, and the servos were not moved";

export const withinLimits: DynamicRequirement = {
  id: "MOT-001",
  level: "MUST",
  section: "2.4",
  title: "All targets are finite numbers within the limits of the robot",
  mutants: [
    "MOT-001-antennas-too-far",
    "MOT-001-head-out-of-reach",
    "MOT-001-goto-too-far",
    "MOT-001-too-far-over-rest",
    "MOT-001-too-far-on-a-request",
    "MOT-001-too-far-on-a-late-request",
    "MOT-001-too-far-after-an-error",
    "MOT-001-too-far-without-automatic-yaw",
    "MOT-001-impossible-joints",
    "MOT-001-recorded-move-too-far",
  ],
  advisoryInOtherDialects: {
    why: "Their SDK and daemons follow a target beyond the limits as far as is safe.",
    fix: "Limit what you send: the robot goes elsewhere than asked.",
  },
  testRuns: ["first-run", "random-requests"],
  judgesOtherTestRuns: true,
  judge(evidence) {
    const runOf = (testRun: string) => evidence.appRuns.find((run) => run.testRun === testRun);
    return judgeByAspects([
      aspectOf("targets while it runs", runOf("first-run"), evidence),
      requestsAspect(runOf("random-requests"), evidence),
      otherRuns(evidence.appRuns.filter(({ testRun }) => !withinLimits.testRuns.includes(testRun))),
    ]);
  },
};

/** Targets of a run without requests show nothing of what requests make the app send. */
function requestsAspect(run: AppRun | undefined, evidence: Evidence): Aspect {
  const aspect = { ...aspectOf("targets under random requests", run, evidence), testRun: "random-requests" };
  if (evidence.app.page === null) return { ...aspect, notApplicable: NO_PAGE };
  const { requests } = evidence.facts;
  const isObserved = aspect.met.length > 0 || (aspect.notApplicable ?? null) !== null;
  const unsent = run === undefined || declaresNoRoutes(requests) ? null : unsentRequestsReason(run, requests);
  return isObserved && unsent !== null ? { ...aspect, met: [], notApplicable: null, ...unsent } : aspect;
}

function aspectOf(name: string, run: AppRun | undefined, evidence: Evidence): Aspect {
  const aspect = { name, met: [], violations: [], unobserved: "not run" };
  if (run === undefined) return aspect;
  const { met, violations } = outcomeOf(run);
  if (met.length + violations.length === 0) {
    if (run.connectedAt === null) return { ...aspect, unobserved: "the app did not connect" };
    if (movedWithoutCommands(run, evidence))
      return { ...aspect, unobserved: "the servos were moved, but the app's commands were not seen" };
    return { ...aspect, notApplicable: NO_TARGETS };
  }
  return { ...aspect, met, violations };
}

/**
 * Whether the servos were sent away from the default pose while the app was connected, in a run of which the tap saw no
 * command: then the app moves the robot in a way that the tap does not see.
 */
function movedWithoutCommands(run: AppRun, { testRuns }: Pick<Evidence, "testRuns">): boolean {
  const motion = testRuns.find(({ id }) => id === run.testRun)?.motion;
  if (motion === undefined || run.connectedAt === null || run.commands.some(isMotion)) return false;
  const [from, until] = [run.connectedAt, run.endRequestedAt ?? run.exitedAt ?? Number.POSITIVE_INFINITY];
  return motion.t.some((t, at) => {
    const sent = motion.sent[at];
    if (t < from || t > until || !sent) return false;
    return sent.some((angle, joint) => Math.abs(angle - (DEFAULT_JOINTS[joint] ?? angle)) > MOVED);
  });
}

/** What a run shows: nothing when the app sent no targets in it. */
const outcomeOf = oncePerRun((run): Pick<Aspect, "met" | "violations"> => {
  const { targets, offsets } = targetsOf(run);
  const moves = run.commands.filter(({ kind }) => kind.startsWith(PLAY));
  const sent = targets.length + offsets.length;
  const violations = violationsIn(run);
  if (violations.length > 0 || sent + moves.length === 0) return { met: [], violations };
  const what = moves.length === 0 ? `${sent} targets` : `${sent} targets and ${moves.length} recorded moves`;
  return { met: [observe(run, `${what}, all within the limits`)], violations };
});

/** What other test runs show, as far as they were executed. */
function otherRuns(runs: readonly AppRun[]): Aspect {
  const outcomes = runs.map(outcomeOf);
  const fact = "no other test run shows targets";
  return {
    name: "targets in other test runs",
    met: outcomes.flatMap(({ met }) => met),
    violations: outcomes.flatMap(({ violations }) => violations),
    notApplicable: fact,
    unobserved: fact,
  };
}

/** One violation for each kind of problem, with how often it occurs. */
function violationsIn(run: AppRun): Violation[] {
  const { targets, offsets, invalid } = targetsOf(run);
  const beyond = [...targets, ...offsets].flatMap(({ t, target }) => {
    const why = problemWith(target);
    return why === undefined ? [] : [{ t, why }];
  });
  // The frames of a recorded move are in files that the daemon reads: no command shows them.
  const clipped = run.clippedMoves.map(({ t, message }) => ({ t, why: `a recorded move: ${message}` }));
  return [invalid, beyond, clipped].flatMap((list) => {
    const [first] = list;
    if (first === undefined) return [];
    const count = list.length === 1 ? "" : ` (the first of ${list.length} such targets)`;
    return [{ message: `A target beyond the robot's limits${count}: ${first.why}`, testRun: run.testRun, t: first.t }];
  });
}

function problemWith(target: Parameters<typeof previewClip>[0]): string | undefined {
  try {
    return previewClip(target, NEUTRAL);
  } catch (error) {
    if (error instanceof WorkbenchError) return error.message;
    throw error;
  }
}
