import { dialectOf } from "../../runner/app/app-under-test.ts";
import { CONFLICT_LIMIT } from "../../test-runs/limits.ts";
import {
  type DynamicRequirement,
  describeEnd,
  judgeByAspects,
  NO_PAGE,
  notApplicable,
  observe,
} from "../requirement.ts";
import { whyPageNotRequested } from "./app-ended.ts";

export const portHandling: DynamicRequirement = {
  id: "UI-002",
  level: "MUST",
  section: "2.3",
  title: "The port of its page is free after the exit, and a taken port ends the app immediately",
  mutants: ["UI-002-goes-on-without-its-page", "UI-002-child-takes-the-port"],
  testRuns: ["first-run", "port-taken"],
  judge({ app, facts, appRuns }) {
    if (app.page === null) return notApplicable(NO_PAGE);
    const run = appRuns.find(({ testRun }) => testRun === "port-taken");
    const { page } = facts;
    const firstRuns = appRuns.filter(({ testRun }) => testRun === "first-run");
    const isItsOwn = dialectOf(app).endsWithoutPage;
    const goesOn = run !== undefined && run.endRequestedAt !== null;
    const held = `Port ${app.page.port} was still taken 2 s after the exit of the app.`;
    const free = `port ${app.page.port} was free after the exit`;
    const message = `The port of ${app.page.url} was taken, and the app still ran ${CONFLICT_LIMIT} s later. Let the error of wrapped_run() end it.`;
    return judgeByAspects([
      {
        name: "port after the exit",
        met: facts.portFreed === true ? [{ text: free, testRun: "first-run", t: null }] : [],
        violations: facts.portFreed === false ? [{ message: held, testRun: "first-run" }] : [],
        notApplicable: (page?.availableAfter ?? null) === null ? whyPageNotRequested(page, firstRuns) : null,
        unobserved: "the app did not serve its page before its exit",
      },
      {
        name: "port taken",
        testRun: "port-taken",
        met:
          run === undefined || goesOn
            ? []
            : [observe(run, `with its port taken, the app ${describeEnd(run)}`, run.exitedAt)],
        violations: goesOn && isItsOwn ? [{ message, testRun: run.testRun, t: run.endRequestedAt ?? 0 }] : [],
        unobserved: "not run",
        notApplicable: isItsOwn ? null : "The SDK of this dialect goes on without the page.",
      },
    ]);
  },
};
