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
export class Timeline {
  readonly #frames: { stamp: number; frame: Frame }[] = [];
  #offset = Number.POSITIVE_INFINITY;

  /** A stamp older than the last one starts over: the sender was restarted or the replay jumped back. */
  push(stamp: number, frame: Frame, now: number): void {
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
  sample(now: number): Frame | undefined {
    const stamp = now - this.#offset - DELAY;
    const next = this.#frames.findIndex((entry) => entry.stamp > stamp);
    if (next === -1) return this.#frames.at(-1)?.frame;
    const after = this.#frames[next];
    const before = this.#frames[next - 1];
    if (after === undefined || before === undefined) return after?.frame;
    return blend(before.frame, after.frame, (stamp - before.stamp) / (after.stamp - before.stamp));
  }
}

/** Linear in positions and angles, along the shorter arc in rotation. */
export function blend(from: Frame, to: Frame, share: number): Frame {
  const mix = (a: readonly number[], b: readonly number[]) =>
    a.map((value, i) => value + ((b[i] ?? value) - value) * share);
  const dot = from.headRotation.reduce((sum, value, i) => sum + value * (to.headRotation[i] ?? 0), 0);
  const near = dot < 0 ? to.headRotation.map((value) => -value) : to.headRotation;
  const turned = mix(from.headRotation, near);
  const length = Math.hypot(...turned);
  return {
    bodyYaw: from.bodyYaw + (to.bodyYaw - from.bodyYaw) * share,
    stewart: mix(from.stewart, to.stewart),
    antennas: mix(from.antennas, to.antennas),
    headPosition: mix(from.headPosition, to.headPosition),
    headRotation: turned.map((value) => value / length),
  };
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
