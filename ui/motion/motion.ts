import type { RobotPose } from "../viewer/frames/frame-of-state.ts";

/** The robot at one time. */
export interface MotionSample extends RobotPose {
  /** Seconds since the beginning of the motion. */
  timestamp: number;
}

/** What a robot did, by ascending time. */
export interface Motion<S extends MotionSample = MotionSample> {
  samples: readonly S[];
}

export const motionDuration = ({ samples }: Motion): number => samples.at(-1)?.timestamp ?? 0;

/** The sample at a time, seconds; the last one after the end. */
export function sampleAt<S extends MotionSample>({ samples }: Motion<S>, time: number): S | undefined {
  let [low, high] = [0, samples.length - 1];
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if ((samples[middle]?.timestamp ?? 0) <= time) low = middle;
    else high = middle - 1;
  }
  return samples[low];
}

/**
 * The times of the longer motion, and for each value a column of the one motion and a column of the other; null after the end of a
 * motion.
 */
export function plotColumns<S extends MotionSample>(
  one: Motion<S>,
  other: Motion<S>,
  values: readonly ((sample: S) => number)[],
): (number | null)[][] {
  const longer = motionDuration(one) >= motionDuration(other) ? one : other;
  const times = longer.samples.map(({ timestamp }) => timestamp);
  const column = (of: Motion<S>, value: (sample: S) => number) =>
    times.map((time) => {
      const sample = time > motionDuration(of) ? undefined : sampleAt(of, time);
      return sample === undefined ? null : value(sample);
    });
  return [times, ...values.flatMap((value) => [column(one, value), column(other, value)])];
}
