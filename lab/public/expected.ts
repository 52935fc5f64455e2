import { z } from "zod";

/** What a person expects of one look at an app. */
const Outcome = z.strictObject({
  verdict: z.enum(["conformant", "not-conformant", "inconclusive", "error"]),
  /** The MUSTs that fail, and no others; left out: any. */
  fails: z.array(z.string()).optional(),
  /** What it says that it lacks. */
  needs: z.string().optional(),
});
type Outcome = z.infer<typeof Outcome>;

/** What the daemon shows of a start: the app runs until it is stopped, ends by itself, or is not started. */
export const STARTS = ["runs", "ends", "fails", "not-installed"] as const;

const App = z.strictObject({
  /** Its folder, relative to the root. */
  folder: z.string().min(1),
  check: Outcome.optional(),
  short: Outcome.optional(),
  whole: Outcome.optional(),
  start: z.enum(STARTS).optional(),
  /** Why, in the words of a person who has read the app's code. */
  reason: z.string().min(1),
});
export type ExpectedApp = z.infer<typeof App>;

export const Expected = z.array(App);

/** What one part showed. */
export interface Seen {
  verdict: string;
  fails: readonly string[];
  needs: readonly string[];
}

/** How what was seen differs from what is expected; null when it does not. */
export function differenceOf(expected: Outcome, seen: Seen): string | null {
  const differences = [
    expected.verdict === seen.verdict ? [] : [`${seen.verdict} instead of ${expected.verdict}`],
    expected.fails === undefined || sameIds(expected.fails, seen.fails)
      ? []
      : [`fails ${list(seen.fails)} instead of ${list(expected.fails)}`],
    expected.needs === undefined || seen.needs.includes(expected.needs)
      ? []
      : [`needs ${list(seen.needs)} instead of ${expected.needs}`],
  ].flat();
  return differences.length === 0 ? null : differences.join(", ");
}

const list = (ids: readonly string[]): string => (ids.length === 0 ? "nothing" : [...ids].sort().join(" and "));
const sameIds = (one: readonly string[], other: readonly string[]): boolean => list(one) === list(other);
