import type { AppRun } from "../../evidence/app-run.ts";
import type { Evidence } from "../../evidence/evidence.ts";
import {
  type Aspect,
  type DynamicRequirement,
  decidedAspect,
  inconclusive,
  judgeByAspects,
  notApplicable,
  observe,
} from "../requirement.ts";
import { coursesOf } from "./profile.ts";
import { mergeParts, targetsOf } from "./targets.ts";

/** Radians between a joint and its first target that a person takes for a jerk. */
const STEP_LIMIT = 0.2;
/** Targets a second: the daemon's control loop takes a hundred. */
const RATE_LIMIT = 110;
/** Seconds of targets below which a rate says little. */
const SHORTEST = 1;

export const gentleStart: DynamicRequirement = {
  id: "MOT-005",
  level: "SHOULD",
  section: "2.4",
  title: "The first motion begins where the robot is, and targets come at no more than 100 a second",
  mutants: ["MOT-005-starts-with-a-jerk", "MOT-005-without-a-pause"],
  testRuns: ["first-run"],
  judge(evidence) {
    const [run] = evidence.appRuns;
    if (run === undefined || run.connectedAt === null) return inconclusive("The app did not run.");
    const times = mergeParts(targetsOf(run).targets)
      .filter(({ isGoto }) => !isGoto)
      .map(({ t }) => t);
    if (times.length === 0) return notApplicable("The app sent no targets with set_target.");
    const rate = rateOf(times);
    const measured = rate === null ? [] : [{ name: "targets", value: rate, unit: "1/s", limit: RATE_LIMIT }];
    return judgeByAspects([firstStep(run, evidence), rateAspect(run, rate, times[0] ?? 0)], measured);
  },
};

function rateAspect(run: AppRun, rate: number | null, t: number): Aspect {
  const name = "rate of targets";
  if (rate === null) {
    const fact = `the app sent targets for less than ${SHORTEST} s`;
    return { name, met: [], violations: [], notApplicable: fact, unobserved: fact };
  }
  const isHigh = rate > RATE_LIMIT;
  const message = `${rate.toFixed(0)} targets a second; the robot takes 100. Sleep in the loop, as time.sleep(0.02).`;
  const met = observe(run, `${rate.toFixed(0)} targets a second`, t);
  return decidedAspect(name, !isHigh, met, { message, testRun: run.testRun, t });
}

function firstStep(run: AppRun, { testRuns }: Evidence): Aspect {
  const name = "first target";
  const [first] = coursesOf(targetsOf(run).targets)[0] ?? [];
  const motion = testRuns.find(({ id }) => id === run.testRun)?.motion;
  const at = first === undefined ? -1 : (motion?.t.findLastIndex((t) => t <= first.t) ?? -1);
  const measured = motion?.measured[at];
  if (first === undefined || measured === undefined)
    return { name, met: [], violations: [], unobserved: "the robot's pose at that moment is unknown" };
  const step = Math.max(...first.joints.map((angle, joint) => Math.abs(angle - (measured[joint] ?? angle))));
  const isJerk = step > STEP_LIMIT;
  const message = `The first target is ${step.toFixed(2)} rad away from where a joint is; it should be within ${STEP_LIMIT} rad. Begin with goto_target().`;
  const met = observe(run, `the first target is ${step.toFixed(2)} rad from where the joints are`, first.t);
  return decidedAspect(name, !isJerk, met, { message, testRun: run.testRun, t: first.t });
}

/** Targets a second on average, since a stalled machine delivers them in bursts; null for too short a time. */
function rateOf(times: readonly number[]): number | null {
  const span = (times.at(-1) ?? 0) - (times[0] ?? 0);
  return span < SHORTEST ? null : (times.length - 1) / span;
}
