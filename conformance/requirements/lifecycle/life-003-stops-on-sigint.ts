import type { AppRun } from "../../evidence/app-run.ts";
import type { Evidence } from "../../evidence/evidence.ts";
import {
  type Aspect,
  type DynamicRequirement,
  describeEnd,
  endWasRequested,
  formatSeconds,
  judgeByAspects,
  type Violation,
  violationIn,
  wasInterruptedAtExit,
} from "../requirement.ts";
import { observeStop, ranWhenStopped, stopAspects } from "./stop-aspects.ts";

/** Other test runs that stop the app. Those that a SHOULD is about are not among them, nor are those with faults. */
const OTHER_TEST_RUNS = ["killed", "error-in-run", "restart-cycles", "random-requests", "run-by-hand", "long-run"];

export const stopsOnSigint: DynamicRequirement = {
  id: "LIFE-003",
  level: "MUST",
  section: "3",
  title: "SIGINT leads to exit code 0 within the grace period, whatever run() is doing",
  mutants: [
    "LIFE-003-exits-with-3",
    "LIFE-003-sleeps-too-long",
    "LIFE-003-own-wrapped-run-ignores-sigint",
    "LIFE-003-ends-by-sigint-between-connections",
    "LIFE-003-ignores-stops-during-gotos",
    "LIFE-003-ignores-sigint-in-its-first-seconds",
    "LIFE-003-thread-started-by-a-request",
    "LIFE-003-expects-a-terminal",
  ],
  testRuns: ["first-run", "stop-early", "stop-during-goto"],
  judgesOtherTestRuns: true,
  judge(evidence) {
    const { appRuns } = evidence;
    const took: number[] = [];
    const aspects = stopAspects(appRuns, (run) => {
      const duration = (run.exitedAt ?? 0) - (run.endRequestedAt ?? 0);
      took.push(duration);
      if (run.forceStopped) return { violation: violationOf(run) };
      // Right after the connection run() may not have begun: such a stop must free the slot, with any exit code.
      if (!ranWhenStopped(run) || wasInterruptedAtExit(run)) return null;
      if (run.exit?.code !== 0) return { violation: violationOf(run) };
      return { met: observeStop(run, `exit code 0 after ${formatSeconds(duration)}`) };
    });
    took.sort((a, b) => a - b);
    const limit = appRuns[0]?.gracePeriod ?? null;
    const at = (share: number) => took[Math.ceil(share * took.length) - 1] ?? 0;
    const measured = (name: string, value: number) => ({ name, value, unit: "s", limit });
    return judgeByAspects(
      [...aspects, otherStops(evidence)],
      took.length === 0
        ? []
        : [measured("stop p50", at(0.5)), measured("stop p90", at(0.9)), measured("stop longest", at(1))],
    );
  },
};

function violationOf(run: AppRun): Violation {
  const advice = run.forceStopped
    ? "run() must look at stop_event often, and return when it is set"
    : "Return from run(), and leave the exit code to Python";
  return violationIn(run, `Stopped while ${run.phase}, the app ${describeEnd(run)}. ${advice}.`);
}

/** The stops of other test runs, as far as those were executed: of a restarted app, for example, or after requests. */
function otherStops({ appRuns, facts }: Evidence): Aspect {
  const stopped = appRuns.filter(
    (run) => run.connectedAt !== null && endWasRequested(run) && !wasInterruptedAtExit(run),
  );
  const others = stopped.filter((run) => {
    return OTHER_TEST_RUNS.includes(run.testRun) && run.endCause === "stop" && ranWhenStopped(run);
  });
  // An app that has lost its daemon may end with any exit code.
  const afterLoss = stopped.filter((run) => {
    return run.endCause === "daemon-lost" && facts.daemonLosses?.[run.testRun]?.reconnected === true;
  });
  const isFine = (run: AppRun) => !run.forceStopped && (run.endCause !== "stop" || run.exit?.code === 0);
  const all = [...others, ...afterLoss];
  const fact = "no other test run stopped the app";
  return {
    name: "other stops",
    met: all.filter(isFine).map((run) => observeStop(run, describeEnd(run))),
    violations: all.filter((run) => !isFine(run)).map(violationOf),
    notApplicable: fact,
    unobserved: fact,
  };
}
