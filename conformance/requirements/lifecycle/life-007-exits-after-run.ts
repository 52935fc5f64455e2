import type { AppRun } from "../../evidence/app-run.ts";
import { type DynamicRequirement, judgeAspects, observe, seconds } from "../requirement.ts";

/** Seconds from the end of run() to the end of the process. */
const LIMIT = 3;

/**
 * Seconds at which run() had returned: as the app's SDK closed its connection, which the tap sees. The instrument is asked
 * only where the tap saw nothing, because an app can write trace markers of its own. Null when neither was seen before the
 * process ended.
 */
function returnedAt({ runLeftAt, runRaised, disconnectedAt, exitedAt, forceStopped }: AppRun): number | null {
  if (runRaised !== null) return null;
  const at = disconnectedAt ?? runLeftAt;
  // A process that is killed closes its connection, too.
  return forceStopped && at !== null && exitedAt !== null && exitedAt - at < LIMIT ? null : at;
}

export const exitsAfterRun: DynamicRequirement = {
  id: "LIFE-007",
  level: "MUST",
  section: "2.3",
  title: "Returning from run() ends the process",
  mutants: ["LIFE-007-lingers-in-the-main-block", "LIFE-007-thread-outlives-run"],
  testRuns: ["first-run", "stop-early"],
  judge({ appRuns }) {
    const returned = appRuns.flatMap((run) => {
      const at = returnedAt(run);
      return at === null || run.exitedAt === null ? [] : [{ run, at, took: Math.max(0, run.exitedAt - at) }];
    });
    const met = returned
      .filter(({ took }) => took <= LIMIT)
      .map(({ run, took }) => observe(run, `exited ${seconds(took)} after it closed its connection`, run.exitedAt));
    const violations = returned
      .filter(({ took }) => took > LIMIT)
      .map(({ run, at, took }) => ({
        message: `run() returned, and the process was still there ${seconds(took)} later. Wait for nothing after wrapped_run(), and make threads daemon threads.`,
        testRun: run.testRun,
        t: at,
      }));
    const unobserved = `none of ${appRuns.length} runs closed its connection before it was killed`;
    return judgeAspects([{ name: "end of the process", met, violations, unobserved }]);
  },
};
