import type { DynamicRequirement } from "./requirement.ts";
import { seconds } from "./requirement.ts";

/** Seconds from the return of run() to the end of the process. */
const LIMIT = 3;

export const returnEnds: DynamicRequirement = {
  id: "LIFE-007",
  level: "MUST",
  section: "2.3",
  title: "Returning from run() ends the process",
  mutants: ["LIFE-007-lingers-in-the-main-block"],
  scenes: ["first-run", "stop-early"],
  judge({ runs }) {
    const returned = runs.filter(({ leftAt, raised }) => leftAt !== null && raised === null);
    if (returned.length === 0) return { skip: "run() was never seen to return." };
    const lingering = returned.filter(
      ({ leftAt, endedAt, forced }) => forced || (endedAt ?? 0) - (leftAt ?? 0) > LIMIT,
    );
    return {
      observed: lingering.map((run) => ({
        message: `run() returned, and the process was still there ${seconds((run.endedAt ?? 0) - (run.leftAt ?? 0))} later. Wait for nothing after wrapped_run(), and make threads daemon threads.`,
        scene: run.scene,
        t: run.leftAt ?? 0,
      })),
    };
  },
};
