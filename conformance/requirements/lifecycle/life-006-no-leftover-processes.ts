import { couldCleanUp, type DynamicRequirement, judgeByAspects, observe } from "../requirement.ts";

export const noLeftoverProcesses: DynamicRequirement = {
  id: "LIFE-006",
  level: "MUST",
  section: "3",
  title: "No process of the app is left after its exit",
  mutants: [
    "LIFE-006-child-left-behind",
    "LIFE-006-child-in-hiding",
    "LIFE-006-double-fork",
    "LIFE-006-child-left-after-an-error",
  ],
  testRuns: ["first-run", "stop-early", "stop-during-goto"],
  judgesOtherTestRuns: true,
  judge({ appRuns }) {
    const ended = appRuns.filter((run) => run.connectAttemptAt !== null && couldCleanUp(run));
    const clean = ended.filter((run) => run.leftoverProcesses.length === 0);
    const violations = ended.flatMap(({ testRun, exitedAt, leftoverProcesses }) =>
      leftoverProcesses.map((left) => ({
        message: `After the exit of the app: ${left}. End all processes that the app starts before run() returns.`,
        testRun,
        t: exitedAt ?? 0,
      })),
    );
    const met = clean.map((run) => observe(run, "no process left after the exit", run.exitedAt));
    const unobserved = `none of ${appRuns.length} runs began to connect and ended without being killed`;
    return judgeByAspects([{ name: "processes after the exit", met, violations, unobserved }]);
  },
};
