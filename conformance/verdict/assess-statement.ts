import { compareVersions } from "../../common/compare-versions.ts";
import { ALL_MUSTS } from "../certify/tiers.ts";
import type { Statement } from "./statement.ts";
import { type Outcome, preventsConformance } from "./verdict.ts";

/** What a verdict must be to be relied on. */
interface Policy {
  /** Refuses every verdict but `conformant`. */
  conformant: boolean;
  /** Refuses a verdict about an app that was not run under bubblewrap, or not in a network of its own. */
  isolated: boolean;
  /** The oldest suite that counts. */
  suite: string;
  /** `dirHash` of the files that the verdict must be about; null for any. */
  dirHash: string | null;
  /** `dirHash` of the wheel that it must be about; null for any. */
  wheel: string | null;
}

/** Why a signed verdict cannot be relied on; empty when it can. */
export function assessStatement({ subject, predicate }: Statement, policy: Policy): string[] {
  const { verdict, suite, isolation, dirHash, wheel } = predicate.robotApp;
  const problems = contradictionsIn({ subject, predicate });
  if (policy.dirHash !== null && dirHash !== policy.dirHash)
    problems.push(`It is about other files: the app's dirHash is ${policy.dirHash}.`);
  if (policy.wheel !== null && wheel !== policy.wheel)
    problems.push(
      `What is installed was not certified: its wheel is ${policy.wheel}, the certified one ${wheel ?? "is not named"}.`,
    );
  if (policy.conformant && (verdict !== "conformant" || predicate.result === "FAILED"))
    problems.push(`The app is ${verdict}: ${predicate.failedTests.join(", ")}.`);
  if (policy.conformant && compareVersions(suite, policy.suite) < 0)
    problems.push(`The suite is ${suite}; ${policy.suite} or newer is required.`);
  if (policy.isolated && isolation.sandbox !== "bubblewrap")
    problems.push("The app was not run under bubblewrap, so it could have influenced its verdict.");
  if (policy.isolated && isolation.network !== "namespace")
    problems.push("The app had the machine's network, on which it could reach the daemon past the tap.");
  return problems;
}

/** Where a statement contradicts itself; empty for one that `statementOf` makes. */
function contradictionsIn({ subject, predicate }: Pick<Statement, "subject" | "predicate">): string[] {
  const { result, passedTests, warnedTests, failedTests, robotApp } = predicate;
  const { verdict, outcomes, suite, isolation } = robotApp;
  const idsWith = (wanted: Outcome) => Object.keys(outcomes).filter((id) => outcomes[id] === wanted);
  const isSame = (one: readonly string[], other: readonly string[]) =>
    [...one].sort().join() === [...other].sort().join();
  const lists = { pass: passedTests, warn: warnedTests, fail: failedTests };
  const expected = verdict === "not-conformant" ? "FAILED" : warnedTests.length > 0 ? "WARNED" : "PASSED";
  const prevents = Object.entries(outcomes)
    .filter(([id, status]) => preventsConformance({ status, level: ALL_MUSTS.includes(id) ? "MUST" : "SHOULD" }))
    .map(([id]) => id);
  const digests = subject.flatMap(({ digest }) => digest.dirHash ?? []);
  const certify = predicate.configuration.find(({ name }) => name === "robot-app-assistant certify")?.annotations ?? {};
  const { allowNetwork } = (certify.options ?? {}) as { allowNetwork?: unknown };
  const checks: readonly (readonly [boolean, string])[] = [
    [result === expected, `its result is ${result}, its verdict ${verdict}`],
    [verdict !== "conformant" || prevents.length === 0, `it is conformant in spite of ${prevents.join(", ")}`],
    [Object.keys(outcomes).length > 0, "it has no outcomes"],
    ...Object.entries(lists).map(([outcome, ids]) => {
      const listed = isSame(ids, idsWith(outcome as Outcome));
      return [listed, `it lists ${ids.join(", ") || "none"} as ${outcome}, and its outcomes do not`] as const;
    }),
    [
      isSame([...new Set(digests)], [...new Set([robotApp.dirHash, robotApp.wheel].flatMap((each) => each ?? []))]),
      "its subjects are other files than those it judges",
    ],
    [(certify.version ?? suite) === suite, `it was made with suite ${suite}, and with ${certify.version}`],
    [allowNetwork !== true || isolation.network !== "namespace", "the app had the network, and had none"],
  ];
  return checks.flatMap(([holds, what]) => (holds ? [] : [`The statement contradicts itself: ${what}.`]));
}
