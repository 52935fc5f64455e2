import { PAGE_LIMIT } from "../../test-runs/limits.ts";
import { type DynamicRequirement, inconclusive, judgeByAspects, NO_PAGE, notApplicable } from "../requirement.ts";
import { judgeEndedApp } from "./app-ended.ts";

export const pageAnswers: DynamicRequirement = {
  id: "UI-001",
  level: "MUST",
  section: "2.3",
  title: "With custom_app_url set, GET / on its port answers 200 with HTML within 15 s",
  mutants: ["UI-001-no-index", "UI-001-never-serves", "UI-001-never-serves-its-default-port"],
  testRuns: ["first-run"],
  judge({ app, appRuns, facts }) {
    if (app.page === null) return notApplicable(NO_PAGE);
    const ended = (facts.page?.availableAfter ?? null) === null ? judgeEndedApp(facts.page, appRuns) : null;
    if (ended !== null) return ended;
    if (facts.page === undefined) return inconclusive("The app did not connect, so its page was not requested.");
    const { answer, availableAfter } = facts.page;
    const testRun = "first-run";
    const message = `GET ${app.page.url} gave ${answer} within ${PAGE_LIMIT} s. static/index.html must be in the package, and run() must not end the server.`;
    const text = `GET ${app.page.url} answered ${answer}`;
    return judgeByAspects(
      [
        {
          name: "GET /",
          met: availableAfter === null ? [] : [{ text, testRun, t: null }],
          violations: availableAfter === null ? [{ message, testRun }] : [],
          unobserved: "not requested",
        },
      ],
      availableAfter === null
        ? []
        : [{ name: "connection to page", value: availableAfter, unit: "s", limit: PAGE_LIMIT }],
    );
  },
};
