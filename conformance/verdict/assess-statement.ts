import { compareVersions } from "../../common/compare-versions.ts";
import { contradictionsIn } from "./contradictions.ts";
import type { Statement } from "./statement.ts";

/** What a verdict must be to be relied on. */
interface Policy {
  /** Refuses every verdict but `conformant`, and waivers that have expired. */
  conformant: boolean;
  /** Refuses a verdict about an app that was not run under bubblewrap, or not in a network of its own. */
  isolated: boolean;
  /** Refuses a verdict with a waiver. */
  unwaived: boolean;
  /** The oldest suite that counts. */
  suite: string;
  /** `dirHash` of the files that the verdict must be about; null for any. */
  dirHash: string | null;
  /** `dirHash` of the wheel that it must be about; null for any. */
  wheel: string | null;
  /** YYYY-MM-DD, UTC. */
  today: string;
}

/** Why a signed verdict cannot be relied on; empty when it can. */
export function assessStatement({ subject, predicate }: Statement, policy: Policy): string[] {
  const { verdict, suite, isolation, waivers, dirHash, wheel } = predicate.robotApp;
  const problems = contradictionsIn({ subject, predicate });
  if (policy.dirHash !== null && dirHash !== policy.dirHash)
    problems.push(`It is about other files: the app's dirHash is ${policy.dirHash}.`);
  if (policy.wheel !== null && wheel !== policy.wheel)
    problems.push(
      `What is installed was not certified: its wheel is ${policy.wheel}, the certified one ${wheel ?? "is not named"}.`,
    );
  if (policy.unwaived)
    for (const { requirement, owner, reason } of waivers)
      problems.push(`${requirement} is waived by ${owner}: ${reason}`);
  if (policy.conformant && (verdict !== "conformant" || predicate.result === "FAILED"))
    problems.push(`The app is ${verdict}: ${predicate.failedTests.join(", ") || "a waiver is stale"}.`);
  if (policy.conformant && compareVersions(suite, policy.suite) < 0)
    problems.push(`The suite is ${suite}; ${policy.suite} or newer is required.`);
  if (policy.conformant)
    for (const { requirement, owner, expires } of waivers)
      if (expires < policy.today) problems.push(`The waiver of ${requirement} (${owner}) expired on ${expires}.`);
  if (policy.isolated && isolation.sandbox !== "bubblewrap")
    problems.push("The app was not run under bubblewrap, so it could have influenced its verdict.");
  if (policy.isolated && isolation.network !== "namespace")
    problems.push("The app had the machine's network, on which it could reach the daemon past the tap.");
  return problems;
}
