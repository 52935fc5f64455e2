import type { Evidence } from "../evidence/evidence.ts";
import type { Run } from "../evidence/run.ts";
import { coursesOf } from "./motion/profile.ts";
import { targetsOf } from "./motion/targets.ts";
import type { DynamicRequirement, Observed } from "./requirement.ts";

/** Radians between a joint and the first target: what a person takes for a jerk. */
const STEP_LIMIT = 0.2;
/** Targets a second: the daemon's control loop takes a hundred. */
const RATE_LIMIT = 110;
/** Seconds of targets below which a rate says little. */
const SHORTEST = 1;

export const beginsGently: DynamicRequirement = {
  id: "MOT-005",
  level: "SHOULD",
  section: "2.4",
  title: "The first motion begins where the robot is, and targets come at no more than 100 a second",
  mutants: ["MOT-005-starts-with-a-jerk", "MOT-005-without-a-pause"],
  scenes: ["first-run"],
  judge(evidence) {
    const [run] = evidence.runs;
    const times = run?.commands.filter(({ kind }) => kind.startsWith("set_")).map(({ t }) => t) ?? [];
    if (run === undefined || times.length === 0) return { skip: "The app sent no targets with set_target." };
    const rate = rateOf(times);
    const tooFast = `${rate.toFixed(0)} targets a second; the robot takes 100. Sleep in the loop, as time.sleep(0.02).`;
    return {
      observed: [
        ...firstStep(run, evidence),
        ...(rate > RATE_LIMIT ? [{ message: tooFast, scene: run.scene, t: times[0] ?? 0 }] : []),
      ],
      measured: [{ name: "targets", value: rate, unit: "1/s", limit: RATE_LIMIT }],
    };
  },
};

function firstStep(run: Run, { scenes }: Evidence): Observed[] {
  const [first] = coursesOf(targetsOf(run).targets)[0] ?? [];
  const motion = scenes.find(({ id }) => id === run.scene)?.motion;
  if (first === undefined || motion === undefined) return [];
  const at = motion.t.findLastIndex((t) => t <= first.t);
  const steps = first.joints.map((angle, joint) => Math.abs(angle - (motion.measured[at]?.[joint] ?? angle)));
  const step = Math.max(...steps);
  if (step <= STEP_LIMIT) return [];
  const message = `The first target is ${step.toFixed(2)} rad away from where a joint is; it should be within ${STEP_LIMIT} rad. Begin with goto_target().`;
  return [{ message, scene: run.scene, t: first.t }];
}

/** Targets a second on average: a machine that stands still for a moment lets them arrive in a heap. */
function rateOf(times: readonly number[]): number {
  const span = (times.at(-1) ?? 0) - (times[0] ?? 0);
  return span < SHORTEST ? 0 : (times.length - 1) / span;
}
