import type { Verdict } from "../../../verdict/verdict.ts";
import { linkToMoment } from "../links.ts";
import { stateBands } from "../player/recording.ts";

/** How long the app took from the stop request to its end. */
export interface StopTime {
  label: string;
  seconds: number;
  /** A link to its requirement or its replay. */
  href: string;
}

interface StopTimes {
  /** Measurements of the requirements, for example percentiles. */
  measured: readonly StopTime[];
  /** Each stop in a test run: the time in the state `stopping`. */
  inTestRuns: readonly StopTime[];
  /** The lowest limit of the measurements, seconds. */
  limit: number | null;
}

const SECONDS_PER_UNIT: Readonly<Record<string, number>> = { s: 1, ms: 1e-3 };

export function stopTimesOf({ results, testRuns }: Pick<Verdict, "results" | "testRuns">): StopTimes {
  const measurements = results
    .flatMap(({ id, measured }) => measured.map((measurement) => ({ id, ...measurement })))
    .flatMap(({ unit, ...measurement }) => {
      const scale = SECONDS_PER_UNIT[unit];
      return scale !== undefined && /^stop\b/i.test(measurement.name) ? [{ ...measurement, scale }] : [];
    });
  const limits = measurements.flatMap(({ limit, scale }) => (limit === null ? [] : [limit * scale]));
  return {
    measured: measurements.map(({ id, name, value, scale }) => ({
      label: name.replace(/^stop[\s,:]*/i, "") || name,
      seconds: value * scale,
      href: `#${id}`,
    })),
    inTestRuns: testRuns.flatMap((testRun) => {
      const bands = stateBands(testRun);
      const stops = bands.filter(({ state }, i) => state === "stopping" && bands[i + 1] !== undefined);
      return stops.map(({ from, to }) => ({
        label: testRun.title,
        seconds: to - from,
        href: linkToMoment(testRun.id, from),
      }));
    }),
    limit: limits.length === 0 ? null : Math.min(...limits),
  };
}

/** A logarithmic scale between two powers of ten: most stops take milliseconds, and the limit is seconds. */
interface LogScale {
  /** Powers of ten, seconds. */
  ticks: readonly number[];
  /** The position of a time on the scale, 0 to 1; times beyond its ends are at its ends. */
  positionOf(seconds: number): number;
}

/** A scale that contains all these times (seconds), from a millisecond on. */
export function logScale(times: readonly number[], limit: number | null): LogScale {
  const powers = [...times, ...(limit === null ? [] : [limit])].map((time) => Math.log10(Math.max(time, 1e-3)));
  const low = Math.floor(Math.min(...powers));
  const high = Math.max(low + 1, Math.ceil(Math.max(...powers)));
  return {
    ticks: Array.from({ length: high - low + 1 }, (_, i) => 10 ** (low + i)),
    positionOf: (time) => Math.min(1, Math.max(0, (Math.log10(Math.max(time, 1e-9)) - low) / (high - low))),
  };
}
