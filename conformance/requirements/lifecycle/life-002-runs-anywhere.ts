import { CONNECT_LIMIT } from "../../test-runs/limits.ts";
import {
  type DynamicRequirement,
  decidedAspect,
  describeEnd,
  formatSeconds,
  inconclusive,
  judgeByAspects,
  observe,
  violationIn,
} from "../requirement.ts";

export const runsAnywhere: DynamicRequirement = {
  id: "LIFE-002",
  level: "MUST",
  section: "2.3",
  title: "The app runs in any working directory, with the environment it inherits and without standard input",
  mutants: ["LIFE-002-reads-standard-input", "LIFE-002-insists-on-its-folder"],
  testRuns: ["run-by-hand"],
  judge({ appRuns }) {
    const [run] = appRuns;
    if (run === undefined) return inconclusive("The app was not run by hand.");
    const byItself = run.endRequestedAt === null;
    const connected = run.connectedAt !== null;
    const fine = connected && (!byItself || run.exit?.code === 0);
    const notConnected = `did not connect within ${CONNECT_LIMIT} s${byItself ? ` and ${describeEnd(run)}` : ""}`;
    const what = connected ? describeEnd(run) : notConnected;
    const message = `In another folder and without standard input the app ${what}. Read files beside __file__, and expect nothing of sys.stdin.`;
    const after = formatSeconds((run.connectedAt ?? 0) - run.startedAt);
    const met = observe(run, `connected after ${after} in another folder, without standard input`, run.connectedAt);
    const name = "another folder, no standard input";
    return judgeByAspects([decidedAspect(name, fine, met, violationIn(run, message))]);
  },
};
