import type { LogLine, Motion, TestRun, TestRunEvent } from "../../../verdict/verdict.ts";

export type AppState = NonNullable<TestRunEvent["state"]>;

/** A stretch of a test run in which the app was in one state, seconds. */
export interface StateBand {
  state: AppState;
  from: number;
  to: number;
}

/** The states of the app one after another; before the first, the app has not been started. */
export function stateBands({ events, duration }: Pick<TestRun, "events" | "duration">): StateBand[] {
  const changes = events.flatMap(({ t, state }) => (state === null ? [] : [{ t, state }]));
  return changes.map(({ t, state }, i) => ({ state, from: t, to: changes[i + 1]?.t ?? Math.max(t, duration) }));
}

/** The state of the app at a time; null before the first. */
export const stateAt = (bands: readonly StateBand[], t: number): AppState | null =>
  bands.findLast(({ from }) => from <= t)?.state ?? null;

/** Index of the last time that is not after `t`, in ascending times; -1 when all are after it. */
export function indexAt(times: readonly number[], t: number): number {
  let [low, high] = [0, times.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((times[middle] as number) <= t) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}

/** Nine angles, radians, in the order of JOINT_NAMES. */
export type Angles = readonly number[];

/** The robot at one time. */
interface Sample {
  measured: Angles;
  /** What was sent to the servos; null while the motors are off. */
  sent: Angles | null;
}

/** The robot at `t` seconds, interpolated between two recorded samples; undefined when nothing was recorded. */
export function sampleAt({ t: times, measured, sent }: Motion, t: number): Sample | undefined {
  const at = Math.max(0, indexAt(times, t));
  const [before, after] = [measured[at], measured[at + 1]];
  if (before === undefined) return undefined;
  const [sentBefore = null, sentAfter = null] = [sent[at], sent[at + 1]];
  if (after === undefined) return { measured: before, sent: sentBefore };
  const [from, to] = [times[at] as number, times[at + 1] as number];
  const share = to > from ? Math.min(1, Math.max(0, (t - from) / (to - from))) : 0;
  return {
    measured: interpolate(before, after, share),
    sent: sentBefore && sentAfter ? interpolate(sentBefore, sentAfter, share) : sentBefore,
  };
}

const interpolate = (a: Angles, b: Angles, share: number): Angles =>
  a.map((value, i) => value + ((b[i] ?? value) - value) * share);

/** The number of lines in each of `bins` equal parts of a stretch of time. */
export function countPerBin(log: readonly LogLine[], from: number, to: number, bins: number): number[] {
  const counts = new Array<number>(bins).fill(0);
  for (const { t } of log) {
    if (t < from || t > to) continue;
    const bin = Math.min(bins - 1, Math.floor(((t - from) / (to - from)) * bins));
    counts[bin] = (counts[bin] ?? 0) + 1;
  }
  return counts;
}

/** A line of the app's output or an event. */
export type LogEntry = { t: number; text: string } & (
  | { source: "stdout" | "stderr" }
  | { source: TestRunEvent["kind"]; level: TestRunEvent["level"]; state: AppState | null }
);

/** Output and events in one list by time; an event is before a line of the same time. */
export function logEntries({ events, log }: Pick<TestRun, "events" | "log">): LogEntry[] {
  const happened: LogEntry[] = events.map(({ t, kind, level, state, text }) => ({
    t,
    source: kind,
    level,
    state,
    text,
  }));
  const printed: LogEntry[] = log.map(({ t, stream, text }) => ({ t, source: stream, text }));
  return [...happened, ...printed].sort((a, b) => a.t - b.t);
}
