import { AT_DEFAULT } from "../runner/stage.ts";
import { type DynamicRequirement, wasAsked } from "./requirement.ts";

export const endsAtDefault: DynamicRequirement = {
  id: "MOT-004",
  level: "MUST",
  section: "3",
  title: "A stop, also in the middle of a move, ends in the default pose",
  mutants: ["MOT-004-lies-down-first"],
  scenes: ["first-run", "stop-early", "stop-in-mid-goto"],
  judge({ runs }) {
    const stopped = runs.filter((run) => run.ending === "stop" && wasAsked(run));
    const looked = stopped.filter(({ offDefault, enteredAt }) => offDefault !== null && enteredAt !== null);
    if (looked.length === 0) return { skip: "The app ended by itself before it could be stopped." };
    const off = looked.map(({ offDefault }) => offDefault ?? 0);
    return {
      observed: looked
        .filter(({ offDefault, held }) => (offDefault ?? 0) > AT_DEFAULT || held === false)
        .map((run) => ({
          message: `Stopped while ${run.phase}, the robot ended ${run.held === false ? "limp, its motors off, and " : ""}${(run.offDefault ?? 0).toFixed(2)} rad off its default pose. Leave the motors and the way home to the daemon.`,
          scene: run.scene,
          t: run.endedAt ?? 0,
        })),
      measured: [{ name: "off the default pose, most", value: Math.max(...off), unit: "rad", limit: AT_DEFAULT }],
    };
  },
};
