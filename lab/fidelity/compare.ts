// Differences between two runs of the same motion.
import { DEGREE } from "../../common/degree.ts";
import type { Samples } from "./trajectories.ts";

const rms = (values: number[]) => Math.sqrt(values.reduce((sum, x) => sum + x * x, 0) / values.length);

/** Degrees between two quaternions [x, y, z, w]. */
function turn(a: number[], b: number[]) {
  const dot = a.reduce((sum, x, k) => sum + x * (b[k] ?? 0), 0);
  return (2 * Math.acos(Math.min(1, Math.abs(dot)))) / DEGREE;
}

/** Millimetres and degrees between the heads of two samples. */
function headDifference(a: Samples[number], b: Samples[number]) {
  const [x = 0, y = 0, z = 0] = a.head.map((value, k) => value - (b.head[k] ?? 0));
  return { mm: 1000 * Math.hypot(x, y, z), degrees: turn(a.head.slice(3), b.head.slice(3)) };
}

/** Root mean square and maximum: of the head, and of the body, the legs and the antennas in degrees. */
export function compare(ours: Samples, reference: Samples) {
  const head = ours.map((sample, k) => headDifference(sample, reference[k] ?? sample));
  const joints = (from: number, until: number) =>
    ours.flatMap((sample, k) =>
      sample.joints.slice(from, until).map((angle, joint) => {
        return Math.abs(angle - (reference[k]?.joints[from + joint] ?? angle)) / DEGREE;
      }),
    );
  const band = (values: number[]) => ({ rms: rms(values), max: Math.max(...values) });
  return {
    mm: band(head.map(({ mm }) => mm)),
    degrees: band(head.map(({ degrees }) => degrees)),
    body: band(joints(0, 1)),
    legs: band(joints(1, 7)),
    antennas: band(joints(7, 9)),
  };
}

/**
 * Steps of the docs' table: overshoot in percent, seconds until it stays within 5 % of its end, and the error there.
 */
export function stepFigures(values: number[], from: number, to: number) {
  const end = values.at(-1) ?? to;
  const size = Math.abs(to - from);
  const beyond = Math.max(...values.map((value) => Math.sign(to - from) * (value - end)));
  const last = values.findLastIndex((value) => Math.abs(value - end) > 0.05 * size);
  return { overshoot: (100 * Math.max(0, beyond)) / size, settling: (last + 1) / 100, error: Math.abs(to - end) };
}
