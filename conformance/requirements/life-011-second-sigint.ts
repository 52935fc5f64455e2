import { type DynamicRequirement, endOf, wasAsked } from "./requirement.ts";

export const secondSigint: DynamicRequirement = {
  id: "LIFE-011",
  level: "SHOULD",
  section: "3",
  title: "A second SIGINT while it cleans up still ends the app",
  mutants: ["LIFE-011-begins-anew"],
  scenes: ["second-sigint"],
  judge({ runs }) {
    const run = runs.find(({ ending }) => ending === "second-sigint");
    if (run === undefined || !wasAsked(run)) return { skip: "The app ended by itself before it could be stopped." };
    if (!run.forced) return { observed: [] };
    const message = `Interrupted again while it cleaned up, the app ${endOf(run)}. Do not begin anew on KeyboardInterrupt: call stop() and leave.`;
    return { observed: [{ message, scene: run.scene, t: run.endedAt ?? 0, errors: run.lastErrors }] };
  },
};
