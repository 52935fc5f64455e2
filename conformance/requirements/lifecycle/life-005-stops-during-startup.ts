import type { AppRun } from "../../evidence/app-run.ts";
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

export const stopsDuringStartup: DynamicRequirement = {
  id: "LIFE-005",
  level: "MUST",
  section: "3",
  title: "SIGINT while importing or connecting ends the app within the grace period",
  mutants: [
    "LIFE-005-ignores-sigint-until-it-runs",
    "LIFE-005-ignores-sigint-before-it-connects",
    "LIFE-005-ignores-sigint-late-in-its-import",
  ],
  testRuns: ["stop-while-importing", "stop-while-connecting"],
  judge({ appRuns }) {
    const runsOf = (testRun: string) => appRuns.filter((run) => run.testRun === testRun);
    const importing = runsOf("stop-while-importing");
    const connecting = runsOf("stop-while-connecting");
    const attempted = connecting.filter(({ connectAttemptAt }) => connectAttemptAt !== null);
    return judgeByAspects([
      aspectOf(
        "stop while importing",
        importing.filter(({ phase }) => phase === null || phase === "importing" || phase === "connecting"),
        importing.length === 0 ? "not run" : "it had connected before it was stopped",
      ),
      aspectOf(
        "stop while connecting",
        attempted,
        connecting.length === 0 ? "not run" : "it made no attempt to connect",
      ),
    ]);
  },
};

function aspectOf(name: string, runs: readonly AppRun[], unobserved: string): Aspect {
  const stopped = runs.filter(endWasRequested);
  const [first] = runs;
  return {
    name,
    met: stopped
      .filter(({ forceStopped }) => !forceStopped)
      .map((run) => {
        const took = formatSeconds((run.exitedAt ?? 0) - (run.endRequestedAt ?? 0));
        return observe(run, `stopped while ${run.phase}: ended after ${took}`, run.exitedAt);
      }),
    violations: stopped
      .filter(({ forceStopped }) => forceStopped)
      .map((run) => {
        const advice = "Leave SIGINT alone until wrapped_run() handles it.";
        return violationIn(run, `Stopped while ${run.phase}, the app ${describeEnd(run)}. ${advice}`);
      }),
    unobserved: first === undefined ? unobserved : `the app ${describeEnd(first)} before it was stopped`,
  };
}
