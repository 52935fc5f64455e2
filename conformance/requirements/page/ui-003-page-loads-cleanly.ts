import {
  type DynamicRequirement,
  endedByItself,
  inconclusive,
  judgeByAspects,
  NO_PAGE,
  notApplicable,
} from "../requirement.ts";
import { judgeEndedApp } from "./app-ended.ts";

export const pageLoadsCleanly: DynamicRequirement = {
  id: "UI-003",
  level: "SHOULD",
  section: "2.3",
  title: "All files that the page names are there, and its console shows no errors",
  mutants: ["UI-003-missing-script", "UI-003-script-throws"],
  testRuns: ["first-run", "random-requests"],
  judge({ app, appRuns, facts: { page, browser } }) {
    if (app.page === null) return notApplicable(NO_PAGE);
    const ended = judgeEndedApp(page, appRuns);
    if (ended !== null) return ended;
    if (page === undefined || page.availableAfter === null) return inconclusive("The page did not answer (UI-001).");
    const missing = page.brokenReferences.map((url) => ({
      message: `The page names ${url}, which is not there. Put it into static/ and list that as package data.`,
      testRun: "first-run",
    }));
    const opened = appRuns.find(({ testRun }) => testRun === "random-requests");
    const endedBefore = opened !== undefined && endedByItself(opened) ? "the app ended by itself" : null;
    const errors = browser === undefined || "unavailable" in browser ? [] : browser.consoleErrors;
    return judgeByAspects([
      {
        name: "files of the page",
        met:
          missing.length === 0
            ? [{ text: "all files that the page names are there", testRun: "first-run", t: null }]
            : [],
        violations: missing,
        unobserved: "not requested",
      },
      {
        name: "console",
        met:
          browser !== undefined && "consoleErrors" in browser && errors.length === 0
            ? [{ text: "no error on the console of Chromium", testRun: "random-requests", t: null }]
            : [],
        // The console shows missing files as well.
        violations:
          missing.length > 0
            ? []
            : errors.map((error) => ({ message: `The page's console shows: ${error}.`, testRun: "random-requests" })),
        notApplicable: endedBefore,
        unobserved: browser !== undefined && "unavailable" in browser ? browser.unavailable : "the page was not opened",
      },
    ]);
  },
};
