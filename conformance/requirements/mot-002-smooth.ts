import { coursesOf, type Peak, peaksOf } from "./motion/profile.ts";
import { targetsOf } from "./motion/targets.ts";
import type { DynamicRequirement } from "./requirement.ts";

const UNITS = { velocity: "rad/s", acceleration: "rad/s2", jerk: "rad/s3" } as const;
const share = ({ value, limit }: Peak): number => value / limit;

export const smooth: DynamicRequirement = {
  id: "MOT-002",
  level: "SHOULD",
  section: "2.4",
  title: "Targets move within the joints' velocity, acceleration and jerk",
  mutants: ["MOT-002-jumps"],
  scenes: ["first-run"],
  judge({ runs }) {
    const [run] = runs;
    const peaks = run === undefined ? [] : peaksOf(coursesOf(targetsOf(run).targets));
    if (peaks.length === 0) return { skip: "The app sent no course of targets with set_target." };
    const worst = (["velocity", "acceleration", "jerk"] as const).flatMap((what) => {
      const [highest] = peaks.filter((peak) => peak.what === what).sort((one, other) => share(other) - share(one));
      return highest ?? [];
    });
    return {
      observed: worst
        .filter((peak) => share(peak) > 1)
        .map((peak) => ({
          message: `The targets ask ${peak.joint} for a ${peak.what} of ${peak.value.toFixed(0)} ${UNITS[peak.what]}; it may have ${peak.limit} ${UNITS[peak.what]}. Go there in smaller steps, or with goto_target().`,
          scene: "first-run",
          t: peak.t,
        })),
      measured: worst.map((peak) => ({
        name: `highest ${peak.what} (${peak.joint})`,
        value: peak.value,
        unit: UNITS[peak.what],
        limit: peak.limit,
      })),
    };
  },
};
