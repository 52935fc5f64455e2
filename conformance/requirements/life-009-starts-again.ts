import { type DynamicRequirement, endOf } from "./requirement.ts";

const BEFORE: Readonly<Record<string, string>> = {
  stop: "a stop",
  error: "an error",
  kill: "SIGKILL",
  "by-itself": "its end",
};

export const startsAgain: DynamicRequirement = {
  id: "LIFE-009",
  level: "MUST",
  section: "3",
  title: "The app can be started again after an exit, an error and SIGKILL",
  mutants: ["LIFE-009-lock-file"],
  scenes: ["stop-early", "error-in-run", "killed"],
  judge({ runs }) {
    const observed = runs.flatMap((run, index) => {
      const before = runs[index - 1];
      if (before === undefined || before.scene !== run.scene) return [];
      // A first life that never got going is LIFE-001's.
      if (before.connectedAt === null || run.connectedAt !== null) return [];
      const message = `Started again after ${BEFORE[before.ending] ?? before.ending}, the app did not connect; it ${endOf(run)}. What it leaves behind, such as a lock file, must not keep it from its next start.`;
      return [{ message, scene: run.scene, t: run.startedAt, errors: run.lastErrors }];
    });
    return { observed };
  },
};
