import { describeRounds } from "../../test-runs/random-user/script.ts";
import { type DynamicRequirement, decidedAspect, inconclusive, judgeByAspects, observe } from "../requirement.ts";

export const survivesRandomUser: DynamicRequirement = {
  id: "RES-007",
  level: "SHOULD",
  section: "3",
  title: "Whatever a user and short faults do, in any order, the app runs, ends and starts again",
  mutants: ["RES-007-starts-once", "RES-007-ignores-stops-after-a-fault", "RES-007-ends-by-a-fault"],
  testRuns: ["random-user"],
  judge({ facts: { randomUser }, appRuns }) {
    const run = appRuns.at(-1);
    if (run === undefined || randomUser === undefined) return inconclusive("The app was not run.");
    const { rounds, problem, attempts } = randomUser;
    const script = describeRounds(rounds);
    const message = `The app ${problem}. The shortest script that shows it, of ${attempts} that were played: ${script}. Play it again with certify --replay replay.json.`;
    const met = observe(run, `the app ran, ended and started again: ${script}`);
    const violation = { message, testRun: run.testRun, errors: run.stderrTail };
    return judgeByAspects([decidedAspect("a random user", problem === null, met, violation)]);
  },
};
