import { describe, expect, test } from "vitest";
import { appRunsFor, judge } from "../certify/judge.ts";
import type { Evidence } from "../evidence/evidence.ts";
import { DYNAMIC } from "./registry.ts";
import type { DynamicRequirement, JudgeResult } from "./requirement.ts";
import { GOOD_EVIDENCE } from "./testing/good-evidence.ts";
import { VIOLATIONS, type Violation, violationsIn } from "./testing/violations.ts";

const violationsOf = ({ id, testRuns }: DynamicRequirement): Violation[] => [
  ...VIOLATIONS.filter((violation) => violation.id === id),
  ...violationsIn(id, testRuns),
];

const statusOf = (requirement: DynamicRequirement, evidence: Evidence) => judge(requirement, evidence).judgement.status;

/** What a requirement's judge gets wrong of the good evidence and the violations; empty for a judge that works. */
function mistakesOf(requirement: DynamicRequirement): string[] {
  const violated = requirement.level === "MUST" ? "fail" : "warn";
  return [
    ...(statusOf(requirement, GOOD_EVIDENCE) === "pass" ? [] : ["the good app"]),
    ...violationsOf(requirement).flatMap(({ name, evidence }) => {
      return statusOf(requirement, evidence) === violated ? [] : [name];
    }),
  ];
}

/** Ways to break a judge. */
const MUTATIONS: Record<string, (requirement: DynamicRequirement) => DynamicRequirement[]> = {
  "always says that it is met": (requirement) => [
    withResult(requirement, () => ({ kind: "met", observations: [SEEN], measured: [] })),
  ],
  "always says that it is violated": (requirement) => [
    withResult(requirement, () => ({
      kind: "violated",
      violations: [{ message: "no" }],
      observations: [],
      measured: [],
    })),
  ],
  "always says that it does not apply": (requirement) => [
    withResult(requirement, () => ({ kind: "not-applicable", fact: "it does not" })),
  ],
  "never sees a violation": (requirement) => [
    withResult(requirement, (result) =>
      result.kind === "violated" ? { kind: "met", observations: [SEEN], measured: [] } : result,
    ),
  ],
  "overlooks one kind of violation": (requirement) =>
    violationsOf(requirement).map(({ evidence }) => {
      const appRuns = appRunsFor(requirement, evidence);
      const overlooked = kindsOf(requirement.judge({ ...evidence, appRuns }));
      return withResult(requirement, (result) =>
        result.kind === "violated" && kindsOf(result) === overlooked
          ? { kind: "met", observations: [SEEN], measured: [] }
          : result,
      );
    }),
  "is blind to one of its test runs": (requirement) =>
    requirement.testRuns
      .filter((testRun) => testRun !== REFERENCES[requirement.id])
      .map((blind) => ({
        ...requirement,
        judge: (evidence) => {
          const appRuns = evidence.appRuns.map((run) => {
            return run.testRun === blind ? (goodRuns(run.testRun, run.endCause) ?? run) : run;
          });
          return requirement.judge({ ...evidence, appRuns, facts: factsWithout(blind, evidence) });
        },
      })),
};

/** Test runs that others are only compared with. */
const REFERENCES: Readonly<Record<string, string>> = { "LIFE-012": "first-run", "RES-001": "first-run" };

const SEEN = { text: "seen", testRun: null, t: null };

const withResult = (requirement: DynamicRequirement, change: (result: JudgeResult) => JudgeResult) => ({
  ...requirement,
  judge: (evidence: Evidence) => change(requirement.judge(evidence)),
});

/** The messages of its violations, without numbers. */
const kindsOf = (result: JudgeResult): string =>
  result.kind === "violated" ? result.violations.map(({ message }) => message.replace(/[\d.]+/g, "#")).join() : "";

const goodRuns = (testRun: string, endCause: string) =>
  GOOD_EVIDENCE.appRuns.findLast((run) => run.testRun === testRun && run.endCause === endCause);

/** The facts of a test run as in the good evidence. */
function factsWithout(testRun: string, { facts }: Evidence): Evidence["facts"] {
  const good = GOOD_EVIDENCE.facts;
  const losses = { ...facts.daemonLosses, [testRun]: good.daemonLosses?.[testRun] } as typeof facts.daemonLosses;
  const isLoss = testRun.startsWith("daemon-");
  const found: Record<string, Partial<Evidence["facts"]>> = {
    "first-run": { page: good.page, portFreed: good.portFreed, usageSamples: good.usageSamples } as Evidence["facts"],
    "random-user": { randomUser: good.randomUser } as Evidence["facts"],
    "daemon-lost": { shortOutage: good.shortOutage } as Evidence["facts"],
    "start-as-startup-app": { networkPage: good.networkPage } as Evidence["facts"],
    "random-requests": { requests: good.requests, browser: good.browser } as Evidence["facts"],
    "restart-cycles": { cycles: good.cycles } as Evidence["facts"],
    "servo-fault": { faults: good.faults } as Evidence["facts"],
  };
  return { ...facts, ...found[testRun], ...(isLoss && losses !== undefined ? { daemonLosses: losses } : {}) };
}

test.each(DYNAMIC.map((requirement) => [requirement.id, requirement] as const))(
  "the judge of %s passes the good app and notices each violation",
  (_, requirement) => {
    expect(violationsOf(requirement)).not.toEqual([]);
    expect(mistakesOf(requirement)).toEqual([]);
  },
);

describe.each(Object.entries(MUTATIONS))("a judge that %s is noticed", (_, mutate) => {
  test.each(DYNAMIC.map((requirement) => [requirement.id, requirement] as const))("%s", (_id, requirement) => {
    for (const broken of mutate(requirement)) expect(mistakesOf(broken)).not.toEqual([]);
  });
});
