import { ALL_MUSTS } from "../certify/ids.ts";
import type { Statement } from "./statement.ts";
import { type Outcome, preventsConformance } from "./verdict.ts";

/** Where a statement contradicts itself; empty for one that `statementOf` makes. */
export function contradictionsIn({ subject, predicate }: Pick<Statement, "subject" | "predicate">): string[] {
  const { result, passedTests, warnedTests, failedTests, robotApp } = predicate;
  const { verdict, outcomes, waivers, suite, isolation } = robotApp;
  const idsWith = (wanted: Outcome) => Object.keys(outcomes).filter((id) => outcomes[id] === wanted);
  const isSame = (one: readonly string[], other: readonly string[]) =>
    [...one].sort().join() === [...other].sort().join();
  const lists = { pass: passedTests, warn: warnedTests, fail: failedTests };
  const expected = verdict === "not-conformant" ? "FAILED" : warnedTests.length > 0 ? "WARNED" : "PASSED";
  const prevents = Object.entries(outcomes)
    .filter(([id, status]) => preventsConformance({ status, level: ALL_MUSTS.includes(id) ? "MUST" : "SHOULD" }))
    .map(([id]) => id);
  const digests = subject.flatMap(({ digest }) => digest.dirHash ?? []);
  const certify = predicate.configuration.find(({ name }) => name === CERTIFY)?.annotations ?? {};
  const { allowNetwork } = (certify.options ?? {}) as { allowNetwork?: unknown };
  const checks: readonly (readonly [boolean, string])[] = [
    [result === expected, `its result is ${result}, its verdict ${verdict}`],
    [verdict !== "conformant" || prevents.length === 0, `it is conformant in spite of ${prevents.join(", ")}`],
    [Object.keys(outcomes).length > 0, "it has no outcomes"],
    ...Object.entries(lists).map(([outcome, ids]) => {
      const listed = isSame(ids, idsWith(outcome as Outcome));
      return [listed, `it lists ${ids.join(", ") || "none"} as ${outcome}, and its outcomes do not`] as const;
    }),
    ...waivers.map(({ requirement }) => {
      const isWarned = outcomes[requirement] === "warn";
      return [isWarned, `it waives ${requirement}, whose outcome is ${outcomes[requirement] ?? "missing"}`] as const;
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

const CERTIFY = "robot-app-assistant certify";
