/** The robot at one moment, as it is drawn. Metres and radians; quaternions are [x, y, z, w]. */
export interface Frame {
  bodyYaw: number;
  /** stewart_1 .. stewart_6. */
  stewart: readonly number[];
  /** Right, left. */
  antennas: readonly number[];
  /** Offset of the head from its neutral position, axes of the foot. */
  headPosition: readonly number[];
  headRotation: readonly number[];
  /** Where the foot is on the table; the head's position and rotation are relative to it. */
  footPosition: readonly number[];
  footRotation: readonly number[];
}

/** The largest change in radians or metres that cannot be seen. */
export const IMPERCEPTIBLE = 4e-5;

/** The largest difference of any number of two frames. */
export function frameDistance(a: Frame, b: Frame): number {
  const lists = [a.stewart, a.antennas, a.headPosition, a.headRotation, a.footPosition, a.footRotation];
  const others = [b.stewart, b.antennas, b.headPosition, b.headRotation, b.footPosition, b.footRotation];
  const differences = lists.flatMap((list, i) => list.map((value, k) => Math.abs(value - (others[i]?.[k] ?? value))));
  return Math.max(Math.abs(a.bodyYaw - b.bodyYaw), ...differences);
}

/** Linear in positions and angles, along the shorter arc in rotation. @param share 0 is `from`, 1 is `to` */
export function interpolateFrames(from: Frame, to: Frame, share: number): Frame {
  const mix = (a: readonly number[], b: readonly number[]) => interpolateNumbers(a, b, share);
  return {
    bodyYaw: from.bodyYaw + (to.bodyYaw - from.bodyYaw) * share,
    stewart: mix(from.stewart, to.stewart),
    antennas: mix(from.antennas, to.antennas),
    headPosition: mix(from.headPosition, to.headPosition),
    headRotation: interpolateRotations(from.headRotation, to.headRotation, share),
    footPosition: mix(from.footPosition, to.footPosition),
    footRotation: interpolateRotations(from.footRotation, to.footRotation, share),
  };
}

const interpolateNumbers = (a: readonly number[], b: readonly number[], share: number): number[] =>
  a.map((value, i) => value + ((b[i] ?? value) - value) * share);

/** Between two unit quaternions, along the shorter arc; the result has unit length. */
export function interpolateRotations(from: readonly number[], to: readonly number[], share: number): number[] {
  const dot = from.reduce((sum, value, i) => sum + value * (to[i] ?? 0), 0);
  const near = dot < 0 ? to.map((value) => -value) : to;
  const mixed = interpolateNumbers(from, near, share);
  const length = Math.hypot(...mixed);
  return mixed.map((value) => value / length);
}
