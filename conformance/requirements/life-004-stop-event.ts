import { type DynamicRequirement, endOf } from "./requirement.ts";

export const stopEventAlone: DynamicRequirement = {
  id: "LIFE-004",
  level: "MUST",
  section: "2.3",
  title: "stop_event alone ends run()",
  mutants: ["LIFE-004-flag-of-its-own"],
  scenes: ["stop-event-alone"],
  judge({ runs }) {
    const [run] = runs;
    if (run === undefined) return { skip: "The app was not run." };
    if (run.askedAt === null) {
      if (run.exit?.code === 0) return { skip: "The app ended by itself before its stop event could be set." };
      return { skip: `The app ${endOf(run)} before its stop event could be set (LIFE-001, LIFE-008).` };
    }
    const left = run.leftAt !== null && run.leftAt - run.askedAt < run.grace;
    // Without the marks of run(), the end of the process has to do.
    if (left || (run.enteredAt === null && !run.forced)) return { observed: [] };
    const message = `run() went on for ${run.grace} s after stop_event was set. Poll stop_event itself, not a flag of your own.`;
    return { observed: [{ message, scene: run.scene, t: run.askedAt + run.grace }] };
  },
};
