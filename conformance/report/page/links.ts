import type { Judgement, Outcome, TestRun, TestRunEvent, Verdict } from "../../verdict/verdict.ts";
import { OUTCOMES } from "./verdict/grades.ts";

/**
 * What a link to the report shows: `#LIFE-003`, `#status/fail`, `#test-run/stop-during-goto/3.20` (seconds), and
 * `#replay/LIFE-003` for the moment of the first finding of a requirement, or the requirement when it has no test run.
 */
export type LinkTarget = { requirement: string } | { status: Outcome } | { testRun: string; t: number };

/** @param t seconds from the start of the test run */
export const linkToMoment = (testRun: string, t: number): string =>
  `#test-run/${encodeURIComponent(testRun)}/${t.toFixed(2)}`;

/** Shows only the requirements with this status. */
export const linkToStatus = (status: Outcome): string => `#status/${status}`;

/** @returns null when the hash names nothing in this verdict */
export function parseLink(
  hash: string,
  { results, testRuns }: Pick<Verdict, "results" | "testRuns">,
): LinkTarget | null {
  const name = decode(hash.replace(/^#/, ""));
  if (results.some(({ id }) => id === name)) return { requirement: name };
  const status = OUTCOMES.find((candidate) => linkToStatus(candidate) === `#${name}`);
  if (status !== undefined) return { status };
  const replayed = results.find(({ id }) => `replay/${id}` === name);
  if (replayed !== undefined) {
    const link = linkToFinding(replayed, replayed.findings[0]?.message ?? replayed.id, testRuns);
    return link === null ? { requirement: replayed.id } : parseLink(link, { results, testRuns });
  }
  const [, testRun, t] = /^test-run\/(.+)\/(\d+(?:\.\d+)?)$/.exec(name) ?? [];
  return testRun !== undefined && testRuns.some(({ id }) => id === testRun) ? { testRun, t: Number(t) } : null;
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** Seconds that a replay starts before the moment that it is about. */
const LEAD = 0.5;

/** Shows a test run shortly before the app starts; before that, the robot only wakes up. */
export function linkToTestRun({ id, events }: Pick<TestRun, "id" | "events">): string {
  const first = events.find(({ kind }) => kind === "action" || kind === "slot");
  return linkToMoment(id, Math.max(0, (first?.t ?? 0) - LEAD));
}

/**
 * Shows the moment of a finding: the event with the same message, or else with the id of the requirement, in its own test
 * runs first; or else its first test run.
 * @returns null when the requirement has no test run
 */
export function linkToFinding(
  { id, testRuns: ids }: Pick<Judgement, "id" | "testRuns">,
  message: string,
  testRuns: readonly TestRun[],
): string | null {
  const own = testRuns.filter((testRun) => ids.includes(testRun.id));
  // A test run that another requirement made necessary may have shown it.
  const findings = [...own, ...testRuns].flatMap((testRun) =>
    testRun.events.filter(({ kind }) => kind === "finding").map((event) => ({ testRun, event })),
  );
  const find = (matches: (event: TestRunEvent) => boolean) => findings.find(({ event }) => matches(event));
  const best = find(({ text }) => text.includes(message)) ?? find(({ text }) => text.includes(id));
  if (best !== undefined) return linkToMoment(best.testRun.id, Math.max(0, best.event.t - LEAD));
  return own[0] === undefined ? null : linkToTestRun(own[0]);
}

/** What the report shows first: the first failure or warning with a test run, otherwise the first test run. */
export function initialLink({ results, testRuns }: Pick<Verdict, "results" | "testRuns">): string | null {
  const firstWith = (wanted: Outcome) =>
    results.find(({ status, testRuns: ids }) => status === wanted && ids.length > 0);
  const worst = firstWith("fail") ?? firstWith("warn");
  const link = worst && linkToFinding(worst, worst.findings[0]?.message ?? worst.id, testRuns);
  return link ?? (testRuns[0] === undefined ? null : linkToTestRun(testRuns[0]));
}
