import type { AppRun, EndCause } from "../../evidence/app-run.ts";
import {
  type Aspect,
  type DynamicRequirement,
  describeEnd,
  endWasRequested,
  formatSeconds,
  judgeByAspects,
  observe,
  violationIn,
} from "../requirement.ts";

const CASES: readonly { testRun: string; after: string; endCauses: readonly EndCause[] }[] = [
  { testRun: "stop-early", after: "a stop", endCauses: ["stop", "by-itself"] },
  { testRun: "error-in-run", after: "an error", endCauses: ["error"] },
  { testRun: "killed", after: "SIGKILL", endCauses: ["kill"] },
  { testRun: "long-run", after: "a long run", endCauses: ["stop", "kill", "by-itself"] },
];

export const restarts: DynamicRequirement = {
  id: "LIFE-009",
  level: "MUST",
  section: "3",
  title: "The app can be started again after an exit, an error and SIGKILL",
  mutants: [
    "LIFE-009-lock-file",
    "LIFE-009-lock-file-in-run",
    "LIFE-009-lock-file-after-an-error",
    "LIFE-009-runs-once",
  ],
  testRuns: CASES.map(({ testRun }) => testRun),
  judge({ appRuns }) {
    return judgeByAspects(
      CASES.map(({ testRun, after, endCauses }) => {
        const runs = appRuns.filter((run) => run.testRun === testRun);
        return aspectOf(after, endCauses, runs);
      }),
    );
  },
};

/** Whether a started app did not connect, or ended with an error before anybody asked it to end. */
const hasFailed = (run: AppRun): boolean =>
  run.connectedAt === null || (!endWasRequested(run) && run.exit !== null && run.exit.code !== 0);

function aspectOf(after: string, endCauses: readonly EndCause[], runs: readonly AppRun[]): Aspect {
  // A first run that did not connect is a matter of LIFE-001.
  const pairs = runs.slice(1).flatMap((run, index) => {
    const before = runs[index];
    return before !== undefined && before.connectedAt !== null ? [{ before, run }] : [];
  });
  const own = pairs.filter(({ before }) => endCauses.includes(before.endCause));
  const byItself = runs[0]?.endCause === "by-itself" && !endCauses.includes("by-itself");
  return {
    name: `restart after ${after}`,
    met: own.flatMap(({ run }) => {
      if (run.connectedAt === null || hasFailed(run)) return [];
      const connected = `connected after ${formatSeconds(run.connectedAt - run.startedAt)}`;
      return [observe(run, `restarted after ${after}: ${connected}`, run.connectedAt)];
    }),
    violations: pairs
      .filter(({ run }) => hasFailed(run))
      .map(({ run }) => {
        const message = `Started again after ${after}, the app ${run.connectedAt === null ? "did not connect; it " : ""}${describeEnd(run)}. What it leaves behind, such as a lock file, must not keep it from its next start.`;
        return violationIn(run, message, run.startedAt);
      }),
    notApplicable: byItself ? "the app ended by itself before" : null,
    unobserved: runs.length === 0 ? "not run" : "the first run did not get that far",
  };
}
