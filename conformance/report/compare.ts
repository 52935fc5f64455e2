import type { Judgement, Outcome, Verdict } from "../verdict/verdict.ts";
import { stopTimesOf } from "./page/verdict/stop-times.ts";

/** From the best outcome to the worst; those that say nothing are in between. */
const ORDER: readonly Outcome[] = ["pass", "not-applicable", "warn", "inconclusive", "error", "flaky", "fail"];

/** A requirement whose outcome changed. */
export interface Change {
  id: string;
  title: string;
  before: Outcome | null;
  after: Outcome | null;
}

/** A distribution of times in seconds. */
interface Distribution {
  count: number;
  median: number;
  p90: number;
  longest: number;
}

/** What got better or worse from one verdict to another. */
export interface Comparison {
  verdict: { before: Verdict["verdict"]; after: Verdict["verdict"] };
  /** The suites, when they differ: their results need not mean the same. */
  suites: { before: string; after: string } | null;
  better: readonly Change[];
  worse: readonly Change[];
  /** Requirements that only one of them has. */
  appeared: readonly Change[];
  vanished: readonly Change[];
  /** From the stop request to the end of the app, in all test runs; null without any. */
  stops: { before: Distribution | null; after: Distribution | null };
}

/** Compares a verdict with an earlier one. */
export function compareVerdicts(before: Verdict, after: Verdict): Comparison {
  const changes = after.results.flatMap((result) => {
    const old = before.results.find(({ id }) => id === result.id);
    return old === undefined || old.status === result.status ? [] : [changeOf(old, result)];
  });
  const rank = (outcome: Outcome | null) => (outcome === null ? -1 : ORDER.indexOf(outcome));
  const only = (own: Verdict, other: Verdict) =>
    own.results.filter(({ id }) => !other.results.some((each) => each.id === id));
  return {
    verdict: { before: before.verdict, after: after.verdict },
    suites: before.version === after.version ? null : { before: before.version, after: after.version },
    better: changes.filter((change) => rank(change.after) < rank(change.before)),
    worse: changes.filter((change) => rank(change.after) > rank(change.before)),
    appeared: only(after, before).map((result) => changeOf(null, result)),
    vanished: only(before, after).map((result) => changeOf(result, null)),
    stops: { before: distributionOf(stopSeconds(before)), after: distributionOf(stopSeconds(after)) },
  };
}

function changeOf(before: Judgement | null, after: Judgement | null): Change {
  const { id, title } = (after ?? before) as Judgement;
  return { id, title, before: before?.status ?? null, after: after?.status ?? null };
}

const stopSeconds = (verdict: Verdict): number[] => stopTimesOf(verdict).inTestRuns.map(({ seconds }) => seconds);

/** @param times seconds */
export function distributionOf(times: readonly number[]): Distribution | null {
  const sorted = [...times].sort((one, other) => one - other);
  const at = (share: number) => sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)] ?? 0;
  if (sorted.length === 0) return null;
  return { count: sorted.length, median: at(0.5), p90: at(0.9), longest: at(1) };
}

/** A comparison as text for a person. */
export function formatComparison({ verdict, suites, stops, ...changes }: Comparison): string {
  const list = (name: string, of: readonly Change[]) =>
    of.length === 0
      ? []
      : [
          `${name}:`,
          ...of.map(({ id, title, before, after }) => `  ${id} ${title}: ${before ?? "-"} → ${after ?? "-"}`),
        ];
  const { better, worse, appeared, vanished } = changes;
  const nothing = better.length + worse.length + appeared.length + vanished.length === 0;
  return [
    `verdict: ${verdict.before} → ${verdict.after}`,
    ...(suites === null ? [] : [`suite: ${suites.before} → ${suites.after}; results need not mean the same`]),
    ...list("worse", worse),
    ...list("better", better),
    ...list("new", appeared),
    ...list("gone", vanished),
    ...(nothing ? ["No outcome changed."] : []),
    `time to stop: ${formatDistribution(stops.before)} → ${formatDistribution(stops.after)}`,
    "",
  ].join("\n");
}

/** A distribution as text. */
export function formatDistribution(distribution: Distribution | null): string {
  if (distribution === null) return "not measured";
  const { count, median, p90, longest } = distribution;
  const [half, most, all] = [median, p90, longest].map((seconds) => `${seconds.toFixed(3)} s`);
  return `p50 ${half}, p90 ${most}, longest ${all} (${count} stops)`;
}
