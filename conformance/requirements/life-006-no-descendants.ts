import type { DynamicRequirement } from "./requirement.ts";

export const noDescendants: DynamicRequirement = {
  id: "LIFE-006",
  level: "MUST",
  section: "3",
  title: "No process of the app is left after its exit",
  mutants: ["LIFE-006-child-left-behind", "LIFE-006-child-in-hiding"],
  scenes: ["first-run", "stop-early", "stop-in-mid-goto"],
  judge({ runs }) {
    // Nobody can clean up after SIGKILL, and an app that was interrupted twice may have been about to.
    const ended = runs.filter(({ forced, ending }) => !forced && (ending === "stop" || ending === "by-itself"));
    const observed = ended.flatMap(({ scene, endedAt, leftovers }) =>
      leftovers.map((left) => ({
        message: `After the exit of the app: ${left}. End all that the app starts before run() returns.`,
        scene,
        t: endedAt ?? 0,
      })),
    );
    return { observed };
  },
};
