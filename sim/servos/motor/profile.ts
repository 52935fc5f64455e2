/**
 * Trajectory to a goal with trapezoidal velocity. It is recomputed at each step from the current position, so the goal may
 * change at any time. Ticks, ticks/s and ticks/s^2; a limit of Infinity means no limit.
 */
export class Profile {
  position = 0;
  velocity = 0;

  /** Starts at this position with zero velocity. */
  restart(position: number): void {
    this.position = position;
    this.velocity = 0;
  }

  /** Advances by `dt` seconds. */
  advance(dt: number, goal: number, maxVelocity: number, maxAcceleration: number): void {
    if (this.position === goal && this.velocity === 0) return;
    if (maxVelocity === Number.POSITIVE_INFINITY && maxAcceleration === Number.POSITIVE_INFINITY) {
      this.restart(goal);
      return;
    }
    const distance = goal - this.position;
    const arrivalSpeed = Math.abs(distance) / dt;
    const wanted =
      Math.sign(distance) * Math.min(maxVelocity, brakingSpeed(Math.abs(distance), maxAcceleration, dt), arrivalSpeed);
    this.velocity = stepTowards(this.velocity, wanted, maxAcceleration * dt);
    this.position += this.velocity * dt;
    if (Math.abs(goal - this.position) < 0.5 && Math.abs(this.velocity) <= maxAcceleration * dt) this.restart(goal);
  }
}

/** The speed from which braking ends after `distance`, when the velocity changes only every `dt` seconds. */
function brakingSpeed(distance: number, acceleration: number, dt: number): number {
  if (acceleration === Number.POSITIVE_INFINITY) return Number.POSITIVE_INFINITY;
  const step = acceleration * dt;
  return Math.sqrt(2 * acceleration * distance + (step * step) / 4) - step / 2;
}

/** `from`, moved towards `to` by at most `step`. */
export function stepTowards(from: number, to: number, step: number): number {
  return Math.abs(to - from) <= step ? to : from + Math.sign(to - from) * step;
}
