import type { DynamicRequirement } from "./requirement.ts";

export const noDescendants: DynamicRequirement = {
  id: "LIFE-006",
  level: "MUST",
  section: "3",
  title: "No process of the app is left after its exit",
  mutants: ["LIFE-006-child-left-behind", "LIFE-006-child-in-hiding"],
  scenes: ["first-run"],
  judge({ runs }) {
    // Nobody can clean up after SIGKILL.
    const ended = runs.filter(({ endedAt, forced, ending }) => endedAt !== null && !forced && ending !== "kill");
    const observed = ended.flatMap(({ scene, endedAt, leftovers }) =>
      leftovers.map((left) => ({
        message: `After the exit of the app there was still: ${left}. End what the app starts before run() returns.`,
        scene,
        t: endedAt ?? 0,
      })),
    );
    return { observed };
  },
};
