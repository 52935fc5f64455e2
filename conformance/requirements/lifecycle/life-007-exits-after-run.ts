import { EXIT_LIMIT } from "../../test-runs/limits.ts";
import { type DynamicRequirement, formatSeconds, judgeByAspects, observe } from "../requirement.ts";
import { runReturnedAt } from "./run-returned-at.ts";

const OWN_TEST_RUNS = ["first-run", "stop-early", "stop-event-alone"];
/** Those that let the app run as a user does. */
const TEST_RUNS = [...OWN_TEST_RUNS, "killed", "restart-cycles", "random-requests", "run-by-hand", "long-run"];

export const exitsAfterRun: DynamicRequirement = {
  id: "LIFE-007",
  level: "MUST",
  section: "2.3",
  title: "Returning from run() ends the process",
  mutants: [
    "LIFE-007-lingers-in-the-main-block",
    "LIFE-007-thread-outlives-run",
    "LIFE-007-thread-keeps-a-connection",
    "LIFE-007-thread-outlives-the-stop-event",
    "LIFE-007-lingers-as-long-as-the-first-run",
  ],
  testRuns: [...OWN_TEST_RUNS],
  judgesOtherTestRuns: true,
  judge({ appRuns }) {
    const judged = appRuns.filter(({ testRun }) => TEST_RUNS.includes(testRun));
    const returned = judged.flatMap((run) => {
      const at = runReturnedAt(run);
      return at === null || run.exitedAt === null ? [] : [{ run, at, took: Math.max(0, run.exitedAt - at) }];
    });
    const met = returned
      .filter(({ took }) => took <= EXIT_LIMIT)
      .map(({ run, took }) =>
        observe(run, `exited ${formatSeconds(took)} after it closed its connection`, run.exitedAt),
      );
    const violations = returned
      .filter(({ took }) => took > EXIT_LIMIT)
      .map(({ run, at, took }) => ({
        message: `run() returned, and the process was still there ${formatSeconds(took)} later. Wait for nothing after wrapped_run(), and make threads daemon threads.`,
        testRun: run.testRun,
        t: at,
      }));
    const unobserved = `none of ${judged.length} runs closed its connection before it was killed`;
    return judgeByAspects([{ name: "end of the process", met, violations, unobserved }]);
  },
};
