import { plain } from "../../../../daemon/dashboard/format.ts";
import type { Verdict } from "../../../verdict/verdict.ts";
import { linkToFinding, linkToStatus } from "../model/places.ts";
import { Jump } from "./jump.tsx";
import { Mark } from "./mark.tsx";

/** More than a person reads at the top of a page. */
const MOST = 6;

/** What stands between the app and its certification, shortly. */
export function ToMend({ verdict }: { verdict: Verdict }) {
  const { results, scenes, counts, only, staleWaivers } = verdict;
  const status = counts.fail > 0 ? "fail" : "error";
  const bad = results.filter((result) => result.status === status);
  if (bad.length + staleWaivers.length === 0 && only === null) return null;
  return (
    <ul class="mend">
      {bad.slice(0, MOST).map((result) => {
        const said = result.findings[0]?.message ?? result.reason ?? result.title;
        return (
          <li key={result.id}>
            <Mark status={status} />
            <a class="requirement-id" href={`#${result.id}`}>
              {result.id}
            </a>
            <bdi>{plain(said)}</bdi>
            <Jump href={linkToFinding(result, said, scenes)} />
          </li>
        );
      })}
      {bad.length > MOST && (
        <li>
          <a href={linkToStatus(status)}>and {bad.length - MOST} more</a>
        </li>
      )}
      {staleWaivers.map(({ requirement, owner, expires, why }) => (
        <li key={`${requirement}${owner}${expires}`}>
          <Mark status="warn" />
          <a class="requirement-id" href={`#${requirement}`}>
            {requirement}
          </a>
          <bdi>
            {why === "expired"
              ? `The waiver of ${owner} ended on ${expires}.`
              : `Nothing needs the waiver of ${owner}.`}
          </bdi>
        </li>
      ))}
      {only !== null && (
        <li>
          <Mark status="skip" /> <bdi>Only {only.join(", ")} asked for: a part is no certification.</bdi>
        </li>
      )}
    </ul>
  );
}
