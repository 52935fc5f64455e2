import { type DynamicRequirement, judgeAspects, observe } from "../requirement.ts";

export const noLeftoverProcesses: DynamicRequirement = {
  id: "LIFE-006",
  level: "MUST",
  section: "3",
  title: "No process of the app is left after its exit",
  mutants: ["LIFE-006-child-left-behind", "LIFE-006-child-in-hiding", "LIFE-006-double-fork"],
  testRuns: ["first-run", "stop-early", "stop-during-goto"],
  judge({ appRuns }) {
    // No process can clean up after SIGKILL, and an app that was interrupted twice may have been about to.
    const ended = appRuns.filter(({ exitedAt, forceStopped, endCause }) => {
      return exitedAt !== null && !forceStopped && (endCause === "stop" || endCause === "by-itself");
    });
    const clean = ended.filter((run) => run.connectedAt !== null && run.leftoverProcesses.length === 0);
    const violations = ended.flatMap(({ testRun, exitedAt, leftoverProcesses }) =>
      leftoverProcesses.map((left) => ({
        message: `After the exit of the app: ${left}. End all processes that the app starts before run() returns.`,
        testRun,
        t: exitedAt ?? 0,
      })),
    );
    const met = clean.map((run) => observe(run, "no process left after the exit", run.exitedAt));
    const unobserved = `none of ${appRuns.length} runs connected and ended without being killed`;
    return judgeAspects([{ name: "processes after the exit", met, violations, unobserved }]);
  },
};
