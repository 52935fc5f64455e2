import type { AppRun } from "../../evidence/app-run.ts";
import { DEFAULT_POSE_TOLERANCE } from "../../test-runs/limits.ts";
import { stopAspects } from "../lifecycle/stop-aspects.ts";
import {
  type Aspect,
  type DynamicRequirement,
  endedByItself,
  judgeByAspects,
  observe,
  type Violation,
} from "../requirement.ts";

const TEST_RUNS = ["first-run", "stop-early", "stop-during-goto", "error-in-run", "killed"];
/** Test runs in which the robot has faults (`random-user` causes them, too), or is slow. */
const FAULTS = ["servo-fault", "slow-robot", "random-user"];
const AUTOMATIC_STARTS = ["start-as-startup-app", "start-by-antenna"];

/** Ends that are judged one by one, and the runs that ended so. */
const JUDGED_ENDS: readonly [name: string, isIt: (run: AppRun) => boolean][] = [
  ["an error", ({ testRun, endCause }) => testRun === "error-in-run" && endCause === "error"],
  ["SIGKILL", ({ endCause }) => endCause === "kill"],
  ["its own end", endedByItself],
  ["an automatic start", ({ testRun }) => AUTOMATIC_STARTS.includes(testRun)],
];

export const returnsToDefault: DynamicRequirement = {
  id: "MOT-004",
  level: "MUST",
  section: "3",
  title: "Every end of the app, also in the middle of a move, leaves the robot in the default pose",
  mutants: [
    "MOT-004-goes-to-sleep-before-its-exit",
    "MOT-004-goes-to-sleep-at-its-own-end",
    "MOT-004-goes-to-sleep-as-startup-app",
  ],
  testRuns: TEST_RUNS,
  judgesOtherTestRuns: true,
  judge({ appRuns }) {
    // Runs of an app that has not connected count, too: it can move the robot over REST.
    const all = appRuns.filter((run) => !FAULTS.includes(run.testRun) && run.defaultPoseError !== null);
    const shown = [...TEST_RUNS, ...AUTOMATIC_STARTS];
    const measuredRuns = all.filter((run) => shown.includes(run.testRun) && run.connectedAt !== null);
    const others = all.filter((run) => !measuredRuns.includes(run));
    const worst = Math.max(...measuredRuns.map(({ defaultPoseError }) => defaultPoseError ?? 0));
    const limit = DEFAULT_POSE_TOLERANCE;
    return judgeByAspects(
      [
        ...stopAspects(measuredRuns, (run) => (isOff(run) ? { violation: violationOf(run) } : { met: metBy(run) })),
        ...JUDGED_ENDS.map(([name, isIt]) => endAspect(name, measuredRuns.filter(isIt))),
        endAspect("any other end", others),
      ],
      measuredRuns.length === 0 ? [] : [{ name: "off the default pose, most", value: worst, unit: "rad", limit }],
    );
  },
};

const isOff = ({ defaultPoseError, motorsOn }: AppRun): boolean =>
  (defaultPoseError ?? 0) > DEFAULT_POSE_TOLERANCE || motorsOn === false;

const metBy = (run: AppRun) =>
  observe(
    run,
    `${(run.defaultPoseError ?? 0).toFixed(3)} rad off the default pose ${ENDS[run.endCause]}`,
    run.exitedAt,
  );

const ENDS: Readonly<Record<AppRun["endCause"], string>> = {
  stop: "after a stop",
  "stop-event": "after its stop event",
  "stop-method": "after stop()",
  "second-sigint": "after two SIGINTs",
  error: "after an error",
  kill: "after SIGKILL",
  "daemon-lost": "after the daemon was lost",
  "port-taken": "after it could not serve its page",
  "by-itself": "after it ended by itself",
};

function violationOf(run: AppRun): Violation {
  const limp = run.motorsOn === false ? "limp, its motors off, and " : "";
  const message = `${run.phase === null ? "" : `Ended while ${run.phase}, `}${ENDS[run.endCause]} the robot was ${limp}${(run.defaultPoseError ?? 0).toFixed(2)} rad off its default pose. Leave the motors and the way to the default pose to the daemon.`;
  return { message, testRun: run.testRun, t: run.exitedAt ?? 0 };
}

/** An aspect for runs that not every app has; not applicable without one. */
function endAspect(name: string, runs: readonly AppRun[]): Aspect {
  return {
    name: `the pose after ${name}`,
    met: runs.filter((run) => !isOff(run)).map(metBy),
    violations: runs.filter(isOff).map(violationOf),
    notApplicable: `no run ended after ${name}`,
    unobserved: "not run",
  };
}
