import {
  type DynamicRequirement,
  describeEnd,
  endWasRequested,
  formatSeconds,
  inconclusive,
  judgeByAspects,
  observe,
  violationIn,
} from "../requirement.ts";

const ADVICE = "Do not assume that the robot reaches a pose within a fixed time.";

/** The latency of 200 ms and the speed, 0.35 of real time, are those of the test run `slowRobot` in test-runs/faults.ts. */
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
    const { connectedAt, exitedAt } = run;
    const connected = connectedAt !== null;
    const wasStopped = endWasRequested(run);
    const isMet = connected && (wasStopped ? !run.forceStopped : run.exit?.code === 0);
    const outcome = connected ? describeEnd(run) : `did not connect; it ${describeEnd(run)}`;
    const message = `With a slow robot and 200 ms of latency the app ${outcome}. ${ADVICE}`;
    const end = `${wasStopped ? "when it was stopped, it" : "it"} ${describeEnd(run)}`;
    return judgeByAspects([
      {
        name: "slow robot",
        met: isMet
          ? [
              observe(run, `connected after ${formatSeconds(connectedAt - run.startedAt)}`, connectedAt),
              observe(run, end, exitedAt),
            ]
          : [],
        violations: isMet ? [] : [violationIn(run, message, exitedAt ?? 0)],
        unobserved: "not run",
      },
    ]);
  },
};
