import type { DynamicRequirement } from "./requirement.ts";

/** Seconds in which what was already on its way may still arrive. */
const ON_ITS_WAY = 0.05;

export const silentAfterExit: DynamicRequirement = {
  id: "MOT-003",
  level: "MUST",
  section: "3",
  title: "Nothing of the app moves the robot after its exit",
  mutants: ["MOT-003-child-has-the-last-word"],
  scenes: ["first-run", "stop-early", "stop-in-mid-goto"],
  judge({ runs }) {
    return {
      observed: runs.flatMap((run) => {
        const end = (run.endedAt ?? Number.POSITIVE_INFINITY) + ON_ITS_WAY;
        const late = run.commands.filter(({ t, pid }) => t > end && pid !== run.pid);
        const [first] = late;
        if (first === undefined) return [];
        const message = `After the exit of the app, process ${first.pid ?? "unknown"} of it sent ${first.kind} (${late.length} commands in all). End what the app starts before run() returns.`;
        return [{ message, scene: run.scene, t: first.t }];
      }),
    };
  },
};
