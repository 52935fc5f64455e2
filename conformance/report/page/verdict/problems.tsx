import { stripColours } from "../../../../ui/format/format.ts";
import type { Outcome, Verdict } from "../../../verdict/verdict.ts";
import { linkToFinding, linkToStatus } from "../links.ts";
import { ReplayLink } from "../requirements/replay-link.tsx";
import { OUTCOMES } from "./grades.ts";
import { StatusIcon } from "./status-icon.tsx";

/** Problems that are listed at the top of the report; the others are behind a link. */
const LISTED = 6;

/** Outcomes that prevent a certification; the worst of them is listed. */
const PREVENTING: readonly Outcome[] = ["fail", "error", "inconclusive", "flaky"];

/** What prevents the certification, in short. */
export function Problems({ verdict }: { verdict: Verdict }) {
  const { results, testRuns, counts, only } = verdict;
  const status = OUTCOMES.find((outcome) => PREVENTING.includes(outcome) && counts[outcome] > 0) ?? "fail";
  const failed = results.filter((result) => result.status === status);
  if (failed.length === 0 && only === null) return null;
  return (
    <ul class="problems">
      {failed.slice(0, LISTED).map((result) => {
        const message = result.findings[0]?.message ?? result.reason ?? result.title;
        return (
          <li key={result.id}>
            <StatusIcon status={status} />
            <a class="requirement-id" href={`#${result.id}`}>
              {result.id}
            </a>
            <bdi>{stripColours(message)}</bdi>
            <ReplayLink href={linkToFinding(result, message, testRuns)} />
          </li>
        );
      })}
      {failed.length > LISTED && (
        <li>
          <a href={linkToStatus(status)}>and {failed.length - LISTED} more</a>
        </li>
      )}
      {only !== null && (
        <li>
          <StatusIcon status="not-applicable" />{" "}
          <bdi>Only {only.join(", ")} tested: a partial run certifies nothing.</bdi>
        </li>
      )}
    </ul>
  );
}
