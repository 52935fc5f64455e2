import type { AppRun } from "../../evidence/app-run.ts";
import { describeFailure } from "../failure-cause.ts";
import {
  type DynamicRequirement,
  describeEnd,
  endWasRequested,
  formatSeconds,
  judgeByAspects,
  observe,
  violationIn,
} from "../requirement.ts";

/** Test runs in which nothing is done to an app that could end it. */
const TEST_RUNS = ["first-run", "stop-during-goto"];

export const noErrorOfItsOwn: DynamicRequirement = {
  id: "LIFE-013",
  level: "MUST",
  section: "3",
  title: "The app does not end by an error of its own",
  mutants: ["LIFE-013-ends-by-an-exception", "LIFE-013-gives-up-with-an-exit-code"],
  testRuns: ["first-run"],
  judgesOtherTestRuns: true,
  countsErrorOfFirstRun: true,
  judge({ app, appRuns }) {
    const runs = appRuns.filter(({ testRun, connectedAt }) => connectedAt !== null && TEST_RUNS.includes(testRun));
    const failed = runs.filter(hasFailed);
    return judgeByAspects([
      {
        name: "errors of its own",
        met: runs
          .filter((run) => !hasFailed(run) && run.exitedAt !== null)
          .map((run) =>
            observe(run, endWasRequested(run) ? "it ran until it was stopped" : describeEnd(run), run.exitedAt),
          ),
        violations: failed.map((run) => {
          const after = formatSeconds((run.exitedAt ?? 0) - (run.connectedAt ?? 0));
          const message = `Nobody asked the app to end, and it ${describeEnd(run)} ${after} after it had connected.${describeFailure(run, app)}`;
          return violationIn(run, message);
        }),
        unobserved: "the app did not connect",
      },
    ]);
  },
};

/** Whether the process ended by itself, and not with success. */
const hasFailed = (run: AppRun): boolean => !endWasRequested(run) && run.exitedAt !== null && run.exit?.code !== 0;
