/** How fast one joint may go: rad/s and rad/s2. */
export interface Rates {
  readonly maxVelocity: number;
  readonly maxAcceleration: number;
}

/** Joints that move together, at one instant; radians and rad/s. */
export interface Motion {
  readonly positions: readonly number[];
  readonly velocities: readonly number[];
}

/** Where the joints shall be at the end of a tick, and how fast that place itself moves. */
export interface Aim {
  readonly positions: readonly number[];
  readonly velocities: readonly number[];
}

/** Relative slack of comparisons between rates, for rounding. */
const ROUNDING = 1 + 1e-9;

const at = (values: readonly number[], index: number) => values[index] as number;

/** The largest share (at most 1) of `values` that is within `limit` in every component. */
const share = (values: readonly number[], limit: (index: number) => number) =>
  values.reduce((part, value, index) => (value === 0 ? part : Math.min(part, limit(index) / Math.abs(value))), 1);

const within = (values: readonly number[], limit: (index: number) => number) =>
  values.every((value, index) => Math.abs(value) <= limit(index) * ROUNDING);

/** The motion after `dt` seconds at these velocities. */
const after = (motion: Motion, velocities: readonly number[], dt: number): Motion => ({
  positions: motion.positions.map((position, index) => position + at(velocities, index) * dt),
  velocities,
});

/**
 * One tick towards an aim. Straight onto it when velocity and acceleration allow, and when the speed it takes could be
 * matched to the aim's own within a tick. Otherwise along the straight line to the aim, all joints in step, no faster
 * than the joints can brake for it.
 */
export function approach(motion: Motion, aim: Aim, rates: readonly Rates[], dt: number): Motion {
  const velocityLimit = (index: number) => (rates[index] as Rates).maxVelocity;
  const changeLimit = (index: number) => (rates[index] as Rates).maxAcceleration * dt;
  const away = aim.positions.map((position, index) => position - at(motion.positions, index));
  const minus = (a: readonly number[], b: readonly number[]) => a.map((value, index) => value - at(b, index));

  const straight = away.map((distance) => distance / dt);
  if (
    within(straight, velocityLimit) &&
    within(minus(straight, motion.velocities), changeLimit) &&
    within(minus(straight, aim.velocities), changeLimit)
  ) {
    return { positions: aim.positions, velocities: straight };
  }

  // The speed from which braking tick by tick ends exactly at the aim, after this tick and `ticks` more.
  const brakingSpeed = (index: number) => {
    const change = changeLimit(index);
    const distance = Math.abs(at(straight, index));
    const ticks = Math.floor((Math.sqrt(1 + (8 * distance) / change) - 1) / 2);
    return distance / (ticks + 1) + (ticks * change) / 2;
  };
  const closing = share(straight, brakingSpeed);
  const follow = aim.velocities.map((velocity, index) => velocity + at(straight, index) * closing);
  const allowed = share(follow, velocityLimit);
  const change = minus(
    follow.map((velocity) => velocity * allowed),
    motion.velocities,
  );
  const part = share(change, changeLimit);
  return after(
    motion,
    motion.velocities.map((velocity, index) => velocity + at(change, index) * part),
    dt,
  );
}

/** Seconds until all joints stand still when they brake in step, the slowest brake at its limit. */
const brakingTime = (velocities: readonly number[], rates: readonly Rates[]): number =>
  velocities.reduce(
    (time, velocity, index) => Math.max(time, Math.abs(velocity) / (rates[index] as Rates).maxAcceleration),
    0,
  );

/** One tick of braking in step: the joints stay on the straight line they are on. */
export function brake(motion: Motion, rates: readonly Rates[], dt: number): Motion {
  const time = brakingTime(motion.velocities, rates);
  const part = time > dt ? 1 - dt / time : 0;
  return after(
    motion,
    motion.velocities.map((velocity) => velocity * part),
    dt,
  );
}

/**
 * Where the joints come to stand if they brake from here, on the straight line they are on.
 * @param dt seconds in a tick; 0 is the limit of short ticks, which goes farthest
 */
export function stop(motion: Motion, rates: readonly Rates[], dt = 0): readonly number[] {
  const time = brakingTime(motion.velocities, rates);
  const ticks = dt > 0 ? Math.floor(time / dt) : 0;
  const seconds = dt === 0 ? time / 2 : ticks === 0 ? 0 : dt * ticks * (1 - (dt * (ticks + 1)) / (2 * time));
  return motion.positions.map((position, index) => position + at(motion.velocities, index) * seconds);
}
