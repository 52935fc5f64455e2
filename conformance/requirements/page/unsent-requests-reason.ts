import type { AppRun } from "../../evidence/app-run.ts";
import type { RequestFacts } from "../../evidence/evidence.ts";
import { describeEnd, endedByItself } from "../requirement.ts";

/** Why no random requests were sent to a page: a fact that makes them not applicable, or what was seen instead of them. */
type Unsent = { notApplicable: string } | { unobserved: string };

/** Whether the OpenAPI document of the page was read, and names no routes. */
export const declaresNoRoutes = (requests: RequestFacts | undefined): boolean =>
  requests !== undefined && "routes" in requests.document && requests.document.routes === 0;

/**
 * Why no random requests were sent to the routes of a page; null when some were sent.
 * @param run that of the test run with the requests
 * @param requests undefined: the app ended, or did not connect
 */
export function unsentRequestsReason(run: AppRun, requests: RequestFacts | undefined): Unsent | null {
  if (requests !== undefined && requests.sent > 0) return null;
  if (declaresNoRoutes(requests))
    return { notApplicable: "The OpenAPI document of the settings page names no routes." };
  const { missing, unread } = { missing: null, unread: null, ...requests?.document };
  if (missing !== null) return { notApplicable: `The settings page has no OpenAPI document: ${missing}.` };
  if (run.connectedAt === null) return { unobserved: "The app did not connect." };
  const ended = `The app ${describeEnd(run)} before requests were sent.`;
  if (endedByItself(run)) return { notApplicable: ended };
  if (run.endRequestedAt === null) return { unobserved: ended };
  return { unobserved: unread === null ? "No request was sent." : `The routes could not be read: ${unread}.` };
}
