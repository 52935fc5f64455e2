import {
  type DynamicRequirement,
  describeEnd,
  endWasRequested,
  inconclusive,
  judgeAspects,
  observe,
  seconds,
} from "../requirement.ts";

export const slowRobot: DynamicRequirement = {
  id: "RES-002",
  level: "SHOULD",
  section: "3",
  title: "With a slow simulation and 200 ms of latency the app connects and can be stopped",
  mutants: ["RES-002-expects-prompt-answers", "RES-002-short-timeout", "RES-002-stuck-with-a-slow-robot"],
  testRuns: ["slow-robot"],
  judge({ appRuns }) {
    const [run] = appRuns;
    if (run === undefined) return inconclusive("The app was not run.");
    const connected = run.connectedAt !== null;
    const fine = connected && (endWasRequested(run) ? !run.forceStopped : run.exit?.code === 0);
    const what = connected ? describeEnd(run) : `did not connect; it ${describeEnd(run)}`;
    const message = `With a slow robot and 200 ms of latency the app ${what}. Do not count on how soon the robot is somewhere.`;
    const after = seconds((run.connectedAt ?? 0) - run.startedAt);
    const met = observe(run, `connected after ${after}; when it was stopped, it ${describeEnd(run)}`, run.exitedAt);
    return judgeAspects([
      {
        name: "slow robot",
        met: fine ? [met] : [],
        violations: fine ? [] : [{ message, testRun: run.testRun, t: run.exitedAt ?? 0, errors: run.stderrTail }],
        unobserved: "not run",
      },
    ]);
  },
};
