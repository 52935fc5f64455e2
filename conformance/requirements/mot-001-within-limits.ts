import { JOINTS } from "../../robot/description/joints.ts";
import { foreseeClip } from "../../robot/motion/foresee.ts";
import { WorkbenchError } from "../../robot/wire/errors.ts";
import type { Run } from "../evidence/run.ts";
import { targetsOf } from "./motion/targets.ts";
import type { DynamicRequirement, Observed } from "./requirement.ts";

const NEUTRAL = JOINTS.map(() => 0);

export const withinLimits: DynamicRequirement = {
  id: "MOT-001",
  level: "MUST",
  section: "2.4",
  title: "All targets are finite numbers within the limits of the robot",
  mutants: ["MOT-001-antennas-too-far", "MOT-001-head-out-of-reach"],
  scenes: ["first-run", "settings-requests"],
  judge({ runs }) {
    if (runs.every(({ commands }) => commands.length === 0)) return { skip: "The app sent no targets." };
    return { observed: runs.flatMap(beyond) };
  },
};

/** What a run asked for that the robot cannot do: one finding a kind, with how often. */
function beyond(run: Run): Observed[] {
  const { targets, unreadable } = targetsOf(run);
  const problems = targets.flatMap(({ t, request }) => {
    const why = problemWith(request);
    return why === undefined ? [] : [{ t, why }];
  });
  return [unreadable, problems].flatMap((list) => {
    const [first] = list;
    if (first === undefined) return [];
    const often = list.length === 1 ? "" : ` (the first of ${list.length} such targets)`;
    return [{ message: `A target beyond the robot's limits${often}: ${first.why}`, scene: run.scene, t: first.t }];
  });
}

function problemWith(request: Parameters<typeof foreseeClip>[0]): string | undefined {
  try {
    return foreseeClip(request, NEUTRAL);
  } catch (error) {
    if (error instanceof WorkbenchError) return error.message;
    throw error;
  }
}
