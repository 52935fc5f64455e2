import {
  type DynamicRequirement,
  decidedAspect,
  describeEnd,
  endedByItself,
  endWasRequested,
  formatSeconds,
  inconclusive,
  judgeByAspects,
  notApplicable,
  observe,
  violationIn,
} from "../requirement.ts";

export const secondSigint: DynamicRequirement = {
  id: "LIFE-011",
  level: "SHOULD",
  section: "3",
  title: "A second SIGINT while it cleans up still ends the app",
  mutants: ["LIFE-011-starts-again-in-its-cleanup"],
  testRuns: ["second-sigint"],
  judge({ appRuns }) {
    const run = appRuns.find(({ endCause }) => endCause === "second-sigint") ?? appRuns[0];
    if (run === undefined) return inconclusive("The app was not run.");
    if (run.endCause !== "second-sigint" || !endWasRequested(run)) {
      const fact = `The app ${describeEnd(run)} before it could be stopped.`;
      return endedByItself(run) ? notApplicable(fact) : inconclusive(fact);
    }
    const message = `Interrupted again while it cleaned up, the app ${describeEnd(run)}. Do not begin anew on KeyboardInterrupt: call stop() and leave.`;
    const took = formatSeconds((run.exitedAt ?? 0) - (run.endRequestedAt ?? 0));
    const met = observe(run, `${describeEnd(run)} ${took} after the first SIGINT`, run.exitedAt);
    const violation = violationIn(run, message, run.exitedAt ?? 0);
    return judgeByAspects([decidedAspect("second SIGINT", !run.forceStopped, met, violation)]);
  },
};
