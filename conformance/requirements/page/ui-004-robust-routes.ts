import {
  type DynamicRequirement,
  decidedAspect,
  describeEnd,
  inconclusive,
  judgeByAspects,
  NO_PAGE,
  notApplicable,
  observe,
} from "../requirement.ts";
import { unsentRequestsReason } from "./unsent-requests-reason.ts";

export const robustRoutes: DynamicRequirement = {
  id: "UI-004",
  level: "SHOULD",
  section: "2.3",
  title: "Random requests to the settings routes give no 5xx and do not end the app",
  mutants: ["UI-004-trusts-the-number", "UI-004-trusts-the-body", "UI-004-ends-on-a-request"],
  testRuns: ["random-requests"],
  judge({ app, facts: { requests }, appRuns }) {
    if (app.page === null) return notApplicable(NO_PAGE);
    const [run] = appRuns;
    if (run === undefined) return inconclusive("The app did not run.");
    const unsent = unsentRequestsReason(run, requests);
    if (unsent !== null)
      return "notApplicable" in unsent ? notApplicable(unsent.notApplicable) : inconclusive(unsent.unobserved);
    if (requests === undefined) return inconclusive("No request was sent.");
    const [first] = requests.failed;
    const failed = `${requests.failed.length} of ${requests.sent} random requests failed; ${first}. Check what comes in, as with a pydantic model.`;
    const ended = `The app ${describeEnd(run)} under random requests to its settings page.`;
    const wentOn = run.endRequestedAt !== null || run.exit?.code === 0;
    const answered = observe(run, `${requests.sent} random requests, none answered with 5xx`);
    const ran = observe(run, "the app ran until it was stopped", run.endRequestedAt);
    const { testRun, exitedAt, stderrTail: errors } = run;
    return judgeByAspects(
      [
        decidedAspect("answers", first === undefined, answered, { message: failed, testRun, errors }),
        decidedAspect("the app goes on", wentOn, ran, { message: ended, testRun, t: exitedAt ?? 0 }),
      ],
      [{ name: "random requests", value: requests.sent, unit: "", limit: null }],
    );
  },
};
