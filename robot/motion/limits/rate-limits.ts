/** Limits of one joint: rad/s and rad/s2. */
interface Rates {
  readonly maxVelocity: number;
  readonly maxAcceleration: number;
}

/** Joints that move together, at one instant; radians and rad/s. */
export interface Motion {
  readonly positions: readonly number[];
  readonly velocities: readonly number[];
}

/** Relative slack of comparisons between rates, for rounding. */
const ROUNDING_SLACK = 1 + 1e-9;

const at = (values: readonly number[], index: number) => values[index] as number;

/** The largest factor (at most 1) by which `values` times it are within `limit` in every component. */
const allowedFactor = (values: readonly number[], limit: (index: number) => number) =>
  values.reduce((part, value, index) => (value === 0 ? part : Math.min(part, limit(index) / Math.abs(value))), 1);

const areWithin = (values: readonly number[], limit: (index: number) => number) =>
  values.every((value, index) => Math.abs(value) <= limit(index) * ROUNDING_SLACK);

/** The motion after `dt` seconds at these velocities. */
const advance = (motion: Motion, velocities: readonly number[], dt: number): Motion => ({
  positions: motion.positions.map((position, index) => position + at(velocities, index) * dt),
  velocities,
});

/**
 * One tick towards an aim. Reaches it when velocity and acceleration allow, and when the joints could take on the aim's
 * own velocity in the tick after. Otherwise all joints move in proportion along the straight line to the aim, no faster
 * than they can brake before it.
 * @param aim the goal at the end of the tick, and the velocity of that goal itself
 */
export function approach(motion: Motion, aim: Motion, rates: readonly Rates[], dt: number): Motion {
  const velocityLimit = (index: number) => (rates[index] as Rates).maxVelocity;
  const changeLimit = (index: number) => (rates[index] as Rates).maxAcceleration * dt;
  const away = aim.positions.map((position, index) => position - at(motion.positions, index));
  const minus = (a: readonly number[], b: readonly number[]) => a.map((value, index) => value - at(b, index));

  const straight = away.map((distance) => distance / dt);
  if (
    areWithin(straight, velocityLimit) &&
    areWithin(minus(straight, motion.velocities), changeLimit) &&
    areWithin(minus(straight, aim.velocities), changeLimit)
  ) {
    return { positions: aim.positions, velocities: straight };
  }

  // Braking tick by tick from this speed ends exactly at the aim, after this tick and `ticks` more.
  const brakingSpeed = (index: number) => {
    const change = changeLimit(index);
    const distance = Math.abs(at(straight, index));
    const ticks = Math.floor((Math.sqrt(1 + (8 * distance) / change) - 1) / 2);
    return distance / (ticks + 1) + (ticks * change) / 2;
  };
  const closing = allowedFactor(straight, brakingSpeed);
  const follow = aim.velocities.map((velocity, index) => velocity + at(straight, index) * closing);
  const allowed = allowedFactor(follow, velocityLimit);
  const change = minus(
    follow.map((velocity) => velocity * allowed),
    motion.velocities,
  );
  const part = allowedFactor(change, changeLimit);
  return advance(
    motion,
    motion.velocities.map((velocity, index) => velocity + at(change, index) * part),
    dt,
  );
}

/** Seconds until all joints stand still when they brake in proportion, the one that needs longest at its limit. */
const brakingTime = (velocities: readonly number[], rates: readonly Rates[]): number =>
  velocities.reduce(
    (time, velocity, index) => Math.max(time, Math.abs(velocity) / (rates[index] as Rates).maxAcceleration),
    0,
  );

/** One tick of braking. All joints slow down in proportion, so they stay on their straight line. */
export function brake(motion: Motion, rates: readonly Rates[], dt: number): Motion {
  const time = brakingTime(motion.velocities, rates);
  const part = time > dt ? 1 - dt / time : 0;
  return advance(
    motion,
    motion.velocities.map((velocity) => velocity * part),
    dt,
  );
}

/**
 * Where the joints stop when they brake from here, as `brake` does.
 * @param dt seconds in a tick; 0 is the limit of short ticks, with the longest way
 */
export function stoppingPositions(motion: Motion, rates: readonly Rates[], dt = 0): readonly number[] {
  const time = brakingTime(motion.velocities, rates);
  const ticks = dt > 0 ? Math.floor(time / dt) : 0;
  const seconds = dt === 0 ? time / 2 : ticks === 0 ? 0 : dt * ticks * (1 - (dt * (ticks + 1)) / (2 * time));
  return motion.positions.map((position, index) => position + at(motion.velocities, index) * seconds);
}
