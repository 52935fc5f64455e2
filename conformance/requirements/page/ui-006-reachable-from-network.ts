import { PAGE_LIMIT } from "../../test-runs/limits.ts";
import { type DynamicRequirement, inconclusive, judgeByAspects, NO_PAGE, notApplicable } from "../requirement.ts";
import { judgeEndedApp } from "./app-ended.ts";

export const reachableFromNetwork: DynamicRequirement = {
  id: "UI-006",
  level: "MUST",
  section: "2.3",
  title: "On a wireless robot its page can be reached from the network",
  mutants: ["UI-006-own-server-on-loopback"],
  advisoryInOtherDialects: {
    why: "Many are made for a robot without a network of its own.",
    fix: "Their SDK binds to the host of custom_app_url: write http://0.0.0.0:PORT.",
  },
  testRuns: ["start-as-startup-app"],
  judge({ app, appRuns, facts: { networkPage } }) {
    if (app.page === null) return notApplicable(NO_PAGE);
    const ended = (networkPage?.availableAfter ?? null) === null ? judgeEndedApp(networkPage, appRuns) : null;
    if (ended !== null) return ended;
    if (networkPage === undefined) return inconclusive("The app did not run as the startup app of a wireless robot.");
    const { answer, availableAfter } = networkPage;
    const testRun = "start-as-startup-app";
    const message = `On a wireless robot, GET / from another address gave ${answer} within ${PAGE_LIMIT} s. There the page must listen on all addresses: leave the server to the SDK, or bind to 0.0.0.0.`;
    const text = `on a wireless robot, GET / from another address answered ${answer}`;
    return judgeByAspects([
      {
        name: "GET / from another address",
        met: availableAfter === null ? [] : [{ text, testRun, t: null }],
        violations: availableAfter === null ? [{ message, testRun }] : [],
        unobserved: "not requested",
      },
    ]);
  },
};
