import { dialectOf } from "../../runner/app/app-under-test.ts";
import { BRIDGED_OUTAGE } from "../../test-runs/limits.ts";
import {
  type DynamicRequirement,
  decidedAspect,
  describeEnd,
  endedByItself,
  inconclusive,
  judgeByAspects,
  notApplicable,
  observe,
} from "../requirement.ts";

export const shortOutage: DynamicRequirement = {
  id: "RES-006",
  level: "SHOULD",
  section: "3",
  title: `A short outage of the daemon does not end the app: the SDK bridges up to ${BRIDGED_OUTAGE} s`,
  mutants: ["RES-006-ends-at-once", "RES-006-stays-disconnected"],
  testRuns: ["daemon-lost"],
  judge({ app, facts, appRuns }) {
    if (!dialectOf(app).reconnects) return notApplicable("The SDK of this dialect does not connect again.");
    const [run] = appRuns;
    if (run === undefined) return inconclusive("The app was not run.");
    const outage = facts.shortOutage;
    if (outage === undefined) {
      const fact = `The app ${describeEnd(run)} before the daemon was lost.`;
      return endedByItself(run) ? notApplicable(fact) : inconclusive(fact);
    }
    const { seconds, reconnected, ended } = outage;
    if (ended && run.exit?.code === 0) return notApplicable("The app ended by itself with exit code 0 meanwhile.");
    const isBridged = reconnected && !ended;
    const what = ended ? describeEnd(run) : "did not reconnect";
    const message = `The daemon was unreachable for ${seconds} s, and the app ${what}. The SDK reconnects by itself; requests of your own to the daemon must be tried again.`;
    const text = `the daemon was unreachable for ${seconds} s: the app reconnected and ran on`;
    const violation = { message, testRun: run.testRun, errors: run.stderrTail };
    return judgeByAspects([decidedAspect("short outage", isBridged, observe(run, text), violation)]);
  },
};
