import { FULL_PWM } from "../../../robot/servo/registers/control-table.ts";
import type { ControlTable } from "../control-table.ts";

/** Gains in PWM units per unit of their error; the conversions are the manufacturer's (manual, "Position PID Gain"). */
export interface GainSet {
  /** Per tick; per tick and sample; per tick/sample. */
  readonly p: number;
  readonly i: number;
  readonly d: number;
  /** Feed-forward of the profile: per tick/sample and per tick/sample2. */
  readonly first: number;
  readonly second: number;
  /** Per unit of velocity; per unit of velocity and sample. */
  readonly velocityP: number;
  readonly velocityI: number;
}

/** Seconds from one sample of the firmware's loops to the next: chosen, the manufacturer does not publish it. */
const SAMPLE = 1e-3;

export const gainsOf = (memory: ControlTable, positionGainDivisor: number): GainSet => ({
  p: memory.get("positionPGain") / positionGainDivisor,
  i: memory.get("positionIGain") / 65_536,
  d: memory.get("positionDGain") / 16,
  first: memory.get("feedforward1stGain") / 4,
  second: memory.get("feedforward2ndGain") / 4,
  velocityP: memory.get("velocityPGain") / 128,
  velocityI: memory.get("velocityIGain") / 65_536,
});

/** An integral whose contribution stays within the full pulse width, so that it does not wind up. */
export class Integral {
  sum = 0;

  /** @returns its contribution, PWM units */
  advance(dt: number, error: number, gain: number): number {
    if (gain === 0) return 0;
    const most = FULL_PWM / gain;
    this.sum = Math.max(-most, Math.min(most, this.sum + (error * dt) / SAMPLE));
    return gain * this.sum;
  }
}

/** Position PID with both feed-forwards. */
export class PositionLoop {
  readonly #integral = new Integral();
  #lastVelocity = 0;

  /**
   * Advances by `dt` seconds and returns the pulse width in PWM units.
   *
   * @param wanted position and velocity of the profile, ticks and ticks/s
   * @param present ticks, as the encoder counts
   * @param velocity ticks/s
   */
  advance(
    dt: number,
    wanted: { position: number; velocity: number },
    present: number,
    velocity: number,
    gains: GainSet,
  ) {
    const error = wanted.position - present;
    const acceleration = (wanted.velocity - this.#lastVelocity) / dt;
    this.#lastVelocity = wanted.velocity;
    return (
      gains.p * error +
      this.#integral.advance(dt, error, gains.i) +
      gains.d * (wanted.velocity - velocity) * SAMPLE +
      gains.first * wanted.velocity * SAMPLE +
      gains.second * acceleration * SAMPLE * SAMPLE
    );
  }

  clear(): void {
    this.#integral.sum = 0;
    this.#lastVelocity = 0;
  }

  save(): readonly [sum: number, lastVelocity: number] {
    return [this.#integral.sum, this.#lastVelocity];
  }

  restore([sum, lastVelocity]: readonly [sum: number, lastVelocity: number]): void {
    this.#integral.sum = sum;
    this.#lastVelocity = lastVelocity;
  }
}
