import { type DynamicRequirement, endOf, wasAsked } from "./requirement.ts";

export const slowAndLate: DynamicRequirement = {
  id: "RES-002",
  level: "SHOULD",
  section: "3",
  title: "With a slow simulation and 200 ms of latency the app connects and can be stopped",
  mutants: ["RES-002-expects-prompt-answers"],
  scenes: ["slow-and-late"],
  judge({ runs }) {
    const [run] = runs;
    if (run === undefined) return { skip: "The app was not run." };
    const connected = run.connectedAt !== null;
    const fine = connected && (wasAsked(run) ? !run.forced : run.exit?.code === 0);
    if (fine) return { observed: [] };
    const what = connected ? endOf(run) : `did not connect; it ${endOf(run)}`;
    const message = `With a slow robot and 200 ms of latency the app ${what}. Do not count on how soon the robot is somewhere.`;
    return { observed: [{ message, scene: run.scene, t: run.endedAt ?? 0, errors: run.lastErrors }] };
  },
};
