import { type DynamicRequirement, endOf } from "./requirement.ts";

export const servoFault: DynamicRequirement = {
  id: "RES-003",
  level: "SHOULD",
  section: "3",
  title: "The fault of a servo is survived: no crash, and the app can be stopped",
  mutants: ["RES-003-gives-up"],
  scenes: ["servo-fault"],
  judge({ facts: { fault }, runs }) {
    const [run] = runs;
    if (fault === undefined || run === undefined) return { skip: "The app ended before a servo could fail." };
    const crashed = fault.ended && run.exit?.code !== 0;
    if (!crashed && !run.forced) return { observed: [] };
    const message = `With the fault ${fault.fault} the app ${endOf(run)}. Expect MoveError of goto_target(), and go on.`;
    return { observed: [{ message, scene: run.scene, t: run.endedAt ?? 0, errors: run.lastErrors }] };
  },
};
