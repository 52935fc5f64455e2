import type { Verdict } from "../../../verdict/verdict.ts";
import { linkTo } from "./places.ts";
import { slotBands } from "./scene.ts";

/** How long the app took to end. */
export interface Stop {
  label: string;
  seconds: number;
  /** Where it can be watched; null for a figure over many. */
  href: string | null;
}

export interface Stops {
  /** Figures that the judgements rest on, for example percentiles. */
  measured: readonly Stop[];
  /** Each stop in a scene: from `stopping` to the end. */
  seen: readonly Stop[];
  /** The lowest limit that a figure was held against, seconds. */
  limit: number | null;
}

const IN_SECONDS: Readonly<Record<string, number>> = { s: 1, ms: 1e-3 };

export function stopsOf({ results, scenes }: Pick<Verdict, "results" | "scenes">): Stops {
  const figures = results
    .flatMap(({ id, measured }) => measured.map((figure) => ({ id, ...figure })))
    .filter(({ name, unit }) => /^stop\b/i.test(name) && unit in IN_SECONDS);
  const limits = figures.flatMap(({ limit, unit }) => (limit === null ? [] : [limit * (IN_SECONDS[unit] ?? 1)]));
  return {
    measured: figures.map(({ id, name, value, unit }) => {
      return {
        label: name.replace(/^stop[\s,:]*/i, "") || name,
        seconds: value * (IN_SECONDS[unit] ?? 1),
        href: `#${id}`,
      };
    }),
    seen: scenes.flatMap((scene) => {
      const bands = slotBands(scene);
      const ended = bands.filter(({ state }, i) => state === "stopping" && bands[i + 1] !== undefined);
      return ended.map(({ from, to }) => ({ label: scene.title, seconds: to - from, href: linkTo(scene.id, from) }));
    }),
    limit: limits.length === 0 ? null : Math.min(...limits),
  };
}

/** A logarithmic scale from one power of ten to another: most stops take milliseconds, and a limit is seconds. */
export interface Decades {
  /** Powers of ten, seconds. */
  marks: readonly number[];
  /** Where on the scale a time is, 0 to 1; times beyond its ends stand at them. */
  shareOf(seconds: number): number;
}

/** A scale that holds all of these times, not finer than a millisecond. */
export function decades(times: readonly number[], limit: number | null): Decades {
  const powers = [...times, ...(limit === null ? [] : [limit])].map((time) => Math.log10(Math.max(time, 1e-3)));
  const low = Math.floor(Math.min(...powers));
  const high = Math.max(low + 1, Math.ceil(Math.max(...powers)));
  return {
    marks: Array.from({ length: high - low + 1 }, (_, i) => 10 ** (low + i)),
    shareOf: (time) => Math.min(1, Math.max(0, (Math.log10(Math.max(time, 1e-9)) - low) / (high - low))),
  };
}
