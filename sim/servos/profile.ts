/**
 * The trajectory that a goal is followed with: a trapezoid of velocity, recomputed each step from where it is, so that
 * a goal may change at any time. Ticks, ticks/s and ticks/s^2; a limit of Infinity means none.
 */
export class Profile {
  position = 0;
  velocity = 0;

  /** Begins at rest. */
  restart(position: number): void {
    this.position = position;
    this.velocity = 0;
  }

  /** Moves on by `dt` seconds. */
  advance(dt: number, goal: number, maxVelocity: number, maxAcceleration: number): void {
    if (this.position === goal && this.velocity === 0) return;
    if (maxVelocity === Number.POSITIVE_INFINITY && maxAcceleration === Number.POSITIVE_INFINITY) {
      this.restart(goal);
      return;
    }
    const way = goal - this.position;
    const arriving = Math.abs(way) / dt;
    const wanted = Math.sign(way) * Math.min(maxVelocity, brakingSpeed(Math.abs(way), maxAcceleration, dt), arriving);
    this.velocity = approach(this.velocity, wanted, maxAcceleration * dt);
    this.position += this.velocity * dt;
    if (Math.abs(goal - this.position) < 0.5 && Math.abs(this.velocity) <= maxAcceleration * dt) this.restart(goal);
  }
}

/** The speed from which braking ends after `way`, when the velocity changes only every `dt`. */
function brakingSpeed(way: number, acceleration: number, dt: number): number {
  if (acceleration === Number.POSITIVE_INFINITY) return Number.POSITIVE_INFINITY;
  const step = acceleration * dt;
  return Math.sqrt(2 * acceleration * way + (step * step) / 4) - step / 2;
}

/** `from`, moved towards `to` by at most `step`. */
export function approach(from: number, to: number, step: number): number {
  return Math.abs(to - from) <= step ? to : from + Math.sign(to - from) * step;
}
