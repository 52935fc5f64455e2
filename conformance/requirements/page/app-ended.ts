import type { AppRun } from "../../evidence/app-run.ts";
import { describeEnd, endedByItself, type JudgeResult, notApplicable } from "../requirement.ts";

type RequestedPage = { appEnded: boolean } | undefined;

/**
 * Why a requirement on the page does not concern an app that ended by itself before or while its page was requested; null for
 * others.
 * @param page undefined: it was not requested
 * @param appRuns those of the test run in which the page is requested
 */
export function judgeEndedApp(page: RequestedPage, appRuns: readonly AppRun[]): JudgeResult | null {
  const fact = whyPageNotRequested(page, appRuns);
  return fact === null ? null : notApplicable(fact);
}

/** As `judgeEndedApp`, for one aspect of a requirement. */
export function whyPageNotRequested(page: RequestedPage, [run]: readonly AppRun[]): string | null {
  if (run === undefined || !endedByItself(run)) return null;
  // An app that does not even connect violates another requirement.
  if (page === undefined && run.connectedAt === null) return null;
  if (page !== undefined && !page.appEnded) return null;
  return `The app ${describeEnd(run)} ${page === undefined ? "before" : "while"} its page was requested.`;
}
