/** A moment of the robot as it is drawn. Metres, radians; quaternions are [x, y, z, w]. */
export interface Frame {
  bodyYaw: number;
  /** stewart_1 .. stewart_6. */
  stewart: readonly number[];
  /** Right, left. */
  antennas: readonly number[];
  /** Offset of the head from neutral, world axes. */
  headPosition: readonly number[];
  headRotation: readonly number[];
}

/** Seconds between what is drawn and the latest state: one and a half state intervals hide the network's jitter. */
const DELAY = 0.05;
const KEPT = 16;
/** Seconds the offset gives way with every state, so that clocks that drift apart do not run out of the window. */
const SLACK = 1e-4;

/**
 * States arrive unevenly; this plays them back evenly, a little late. Stamps are the sender's clock in seconds, `now`
 * is the viewer's; the smallest difference seen between the two stands for their offset.
 */
export class Timeline<T> {
  readonly #frames: { stamp: number; frame: T }[] = [];
  readonly #blend: (from: T, to: T, share: number) => T;
  #offset = Number.POSITIVE_INFINITY;

  /** @param blend what is between two frames, at a share of the way */
  constructor(blend: (from: T, to: T, share: number) => T) {
    this.#blend = blend;
  }

  /** A stamp older than the last one starts over: the sender was restarted or the replay jumped back. */
  push(stamp: number, frame: T, now: number): void {
    const last = this.#frames.at(-1);
    if (last !== undefined && (stamp <= last.stamp || stamp > last.stamp + 2)) this.clear();
    this.#offset = Math.min(this.#offset + SLACK, now - stamp);
    this.#frames.push({ stamp, frame });
    if (this.#frames.length > KEPT) this.#frames.shift();
  }

  clear(): void {
    this.#frames.length = 0;
    this.#offset = Number.POSITIVE_INFINITY;
  }

  /** The frame to draw at `now`; undefined before the first push. */
  sample(now: number): T | undefined {
    const stamp = now - this.#offset - DELAY;
    const next = this.#frames.findIndex((entry) => entry.stamp > stamp);
    if (next === -1) return this.#frames.at(-1)?.frame;
    const after = this.#frames[next];
    const before = this.#frames[next - 1];
    if (after === undefined || before === undefined) return after?.frame;
    return this.#blend(before.frame, after.frame, (stamp - before.stamp) / (after.stamp - before.stamp));
  }
}

/** Linear in positions and angles, along the shorter arc in rotation. */
export function blend(from: Frame, to: Frame, share: number): Frame {
  const mix = (a: readonly number[], b: readonly number[]) => mixNumbers(a, b, share);
  return {
    bodyYaw: from.bodyYaw + (to.bodyYaw - from.bodyYaw) * share,
    stewart: mix(from.stewart, to.stewart),
    antennas: mix(from.antennas, to.antennas),
    headPosition: mix(from.headPosition, to.headPosition),
    headRotation: mixRotations(from.headRotation, to.headRotation, share),
  };
}

const mixNumbers = (a: readonly number[], b: readonly number[], share: number): number[] =>
  a.map((value, i) => value + ((b[i] ?? value) - value) * share);

/** Between two unit quaternions, along the shorter arc; of unit length. */
export function mixRotations(from: readonly number[], to: readonly number[], share: number): number[] {
  const dot = from.reduce((sum, value, i) => sum + value * (to[i] ?? 0), 0);
  const near = dot < 0 ? to.map((value) => -value) : to;
  const turned = mixNumbers(from, near, share);
  const length = Math.hypot(...turned);
  return turned.map((value) => value / length);
}

/** The largest change of a radian or metre that nobody can see. */
export const INVISIBLE = 4e-5;

/** The largest difference of any number in two frames: what a viewer can call "has it moved". */
export function distance(a: Frame, b: Frame): number {
  const lists = [a.stewart, a.antennas, a.headPosition, a.headRotation];
  const others = [b.stewart, b.antennas, b.headPosition, b.headRotation];
  const differences = lists.flatMap((list, i) => list.map((value, k) => Math.abs(value - (others[i]?.[k] ?? value))));
  return Math.max(Math.abs(a.bodyYaw - b.bodyYaw), ...differences);
}
