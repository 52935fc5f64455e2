import { NOTICEABLE_DELAY } from "../../evidence/app-run.ts";
import { type DynamicRequirement, inconclusive, judgeByAspects, notApplicable, observe } from "../requirement.ts";
import { coursesOf, type Peak, peaksOf } from "./profile.ts";
import { targetsOf } from "./targets.ts";

const QUANTITIES = ["velocity", "acceleration", "jerk", "step"] as const;
const UNITS = { step: "rad/s", velocity: "rad/s", acceleration: "rad/s2", jerk: "rad/s3" } as const;
const share = ({ value, limit }: Peak): number => value / limit;

export const smoothTargets: DynamicRequirement = {
  id: "MOT-002",
  level: "SHOULD",
  section: "2.4",
  title: "Targets move within the joints' velocity, acceleration and jerk",
  mutants: ["MOT-002-jumps", "MOT-002-trembles"],
  testRuns: ["first-run"],
  judge({ appRuns }) {
    const [run] = appRuns;
    if (run === undefined || run.connectedAt === null) return inconclusive("The app did not run.");
    const { targets } = targetsOf(run);
    const harnessDelays = run.harnessDelays.filter(({ seconds }) => seconds >= NOTICEABLE_DELAY);
    const peaks = peaksOf(coursesOf(targets, [...harnessDelays, ...run.processorDelays]));
    if (peaks.length === 0) {
      return peaksOf(coursesOf(targets)).length === 0
        ? notApplicable("The app sent no series of targets with set_target.")
        : inconclusive("The machine was too busy: the app waited for a processor while it sent targets.");
    }
    const worst = QUANTITIES.flatMap((what) => {
      const [highest] = peaks.filter((peak) => peak.what === what).sort((one, other) => share(other) - share(one));
      return highest ?? [];
    });
    const measured = worst.map((peak) => ({
      name: `highest ${peak.what} (${peak.joint})`,
      value: peak.value,
      unit: UNITS[peak.what],
      limit: peak.limit,
    }));
    const text = (peak: Peak) =>
      `${peak.joint}: ${peak.what} ${peak.value.toFixed(1)} of ${peak.limit} ${UNITS[peak.what]}`;
    return judgeByAspects(
      QUANTITIES.map((what) => {
        const peaksOfKind = worst.filter((peak) => peak.what === what);
        const isHigh = (peak: Peak) => share(peak) > 1;
        return {
          name: what,
          met: peaksOfKind.filter((peak) => !isHigh(peak)).map((peak) => observe(run, text(peak), peak.t)),
          violations: peaksOfKind.filter(isHigh).map((peak) => ({
            message: `The targets ask ${peak.joint} for a ${peak.what} of ${peak.value.toFixed(0)} ${UNITS[peak.what]}; it may have ${peak.limit} ${UNITS[peak.what]}. Go there in smaller steps, or with goto_target().`,
            testRun: run.testRun,
            t: peak.t,
          })),
          unobserved: "too few targets",
        };
      }),
      measured,
    );
  },
};
