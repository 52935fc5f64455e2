/**
 * Seconds over which the firmware averages velocity, current and pulse width before it reports them. Chosen: the resolution
 * of its velocity is a small fraction of one tick of the encoder in a sample.
 */
const AVERAGING_TIME = 0.01;

/** What a servo's firmware reports of its motor: rad/s, A, and share of the full pulse width. */
export class AveragedReadings {
  readonly values = { velocity: 0, current: 0, pwm: 0 };

  /** Advances by `dt` seconds, in which the motor had these values. */
  advance(dt: number, velocity: number, current: number, pwm: number): void {
    const { values } = this;
    const share = 1 - Math.exp(-dt / AVERAGING_TIME);
    values.velocity += share * (velocity - values.velocity);
    values.current += share * (current - values.current);
    values.pwm += share * (pwm - values.pwm);
  }
}
