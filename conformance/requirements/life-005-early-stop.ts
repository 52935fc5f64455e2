import { type DynamicRequirement, endOf, wasAsked } from "./requirement.ts";

export const earlyStop: DynamicRequirement = {
  id: "LIFE-005",
  level: "MUST",
  section: "3",
  title: "SIGINT while importing or connecting frees the slot within the grace period",
  mutants: ["LIFE-005-deaf-until-it-runs"],
  scenes: ["stop-while-importing", "stop-while-connecting"],
  judge({ runs }) {
    const asked = runs.filter(wasAsked);
    if (asked.length === 0) return { skip: "The app ended before it could be stopped." };
    return {
      observed: asked
        .filter(({ forced }) => forced)
        .map((run) => ({
          message: `Stopped while ${run.phase}, the app ${endOf(run)}. Leave SIGINT alone until wrapped_run() has taken it over.`,
          scene: run.scene,
          t: run.endedAt ?? run.startedAt,
          errors: run.lastErrors,
        })),
    };
  },
};
