import type { LogLine, Motion, Scene, SceneEvent } from "../../../verdict/verdict.ts";

export type SlotState = NonNullable<SceneEvent["state"]>;

/** A stretch of a scene in which the app was in one state, seconds. */
export interface Band {
  state: SlotState;
  from: number;
  to: number;
}

/** The states of the slot one after another; a scene begins with none. */
export function slotBands({ events, duration }: Pick<Scene, "events" | "duration">): Band[] {
  const changes = events.flatMap(({ t, state }) => (state === null ? [] : [{ t, state }]));
  return changes.map(({ t, state }, i) => ({ state, from: t, to: changes[i + 1]?.t ?? Math.max(t, duration) }));
}

/** The state at a moment; null before the first. */
export const stateAt = (bands: readonly Band[], t: number): SlotState | null =>
  bands.findLast(({ from }) => from <= t)?.state ?? null;

/** Index of the last time that is not after `t`, in times that never go back; -1 when all are. */
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

/** Where the robot was at a moment, and where its servos were told to be (null: motors off). */
export interface Moment {
  measured: Angles;
  sent: Angles | null;
}

/** Between two recorded moments on a straight line; undefined when nothing was recorded. */
export function momentAt({ t: times, measured, sent }: Motion, t: number): Moment | undefined {
  const at = Math.max(0, indexAt(times, t));
  const [here, next] = [measured[at], measured[at + 1]];
  if (here === undefined) return undefined;
  const [sentHere = null, sentNext = null] = [sent[at], sent[at + 1]];
  if (next === undefined) return { measured: here, sent: sentHere };
  const [from, to] = [times[at] as number, times[at + 1] as number];
  const share = to > from ? Math.min(1, Math.max(0, (t - from) / (to - from))) : 0;
  return {
    measured: mixed(here, next, share),
    sent: sentHere && sentNext ? mixed(sentHere, sentNext, share) : sentHere,
  };
}

const mixed = (a: Angles, b: Angles, share: number): Angles =>
  a.map((value, i) => value + ((b[i] ?? value) - value) * share);

/** How many lines were written in each of `bins` equal parts of a stretch of time. */
export function density(log: readonly LogLine[], from: number, to: number, bins: number): number[] {
  const counts = new Array<number>(bins).fill(0);
  for (const { t } of log) {
    if (t < from || t > to) continue;
    const bin = Math.min(bins - 1, Math.floor(((t - from) / (to - from)) * bins));
    counts[bin] = (counts[bin] ?? 0) + 1;
  }
  return counts;
}

/** A line of the app's log or an event, as they happened. */
export type Told = { t: number; text: string } & (
  | { of: "stdout" | "stderr" }
  | { of: SceneEvent["kind"]; level: SceneEvent["level"]; state: SlotState | null }
);

/** Log and events in one list; what happened at the same moment as a line stands before it. */
export function story({ events, log }: Pick<Scene, "events" | "log">): Told[] {
  const happened: Told[] = events.map(({ t, kind, level, state, text }) => ({ t, of: kind, level, state, text }));
  const printed: Told[] = log.map(({ t, stream, text }) => ({ t, of: stream, text }));
  return [...happened, ...printed].sort((a, b) => a.t - b.t);
}
