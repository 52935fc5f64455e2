import type { AppRun } from "../../evidence/app-run.ts";
import { describeEnd, endedByItself, type JudgeResult, notApplicable } from "../requirement.ts";

/**
 * Why a requirement on the page does not concern an app that ended by itself while its page was requested; null for others.
 * @param appRuns those of the test run in which the page was requested
 */
export function judgeEndedApp({ appEnded }: { appEnded: boolean }, [run]: readonly AppRun[]): JudgeResult | null {
  if (!appEnded || run === undefined || !endedByItself(run)) return null;
  return notApplicable(`The app ${describeEnd(run)} while its page was requested.`);
}
