/** Radians from the reference at which a push counts as a touch, and at which the next may come. */
const TOUCHED = 0.25;
const RELEASED = 0.1;
/** A commanded angle that moves more than this between samples is motion, and so is a limp antenna that does. */
const MOTION = 0.02;
/** A limp antenna that has not moved for so long has come to rest; from there a touch is measured. */
const REST_MS = 1000;
/** An antenna that was flicked swings past its reference for a while; so long all that is one touch. */
const SWING_MS = 1000;

/**
 * Tells a hand from the antenna's own motion. With torque on, the reference is the commanded angle; without, it is
 * where the antenna last came to rest, so a sleeping robot can be touched awake.
 */
export class TouchSensor {
  #reference: number | undefined;
  #commanded: number | null = null;
  #armed = false;
  #touchedAt = Number.NEGATIVE_INFINITY;
  #restsAt = Number.NaN;
  #restsSince = 0;

  /**
   * Takes the next sample (ten a second or more) and says whether a touch begins with it.
   *
   * @param measured radians
   * @param commanded radians, null while the antenna is limp
   * @param now milliseconds
   */
  sample(measured: number, commanded: number | null, now: number): boolean {
    if (commanded === null) this.#restWithoutTorque(measured, now);
    else this.#follow(commanded);
    this.#commanded = commanded;
    if (this.#reference === undefined) return false;
    const push = Math.abs(angleBetween(measured, this.#reference));
    if (this.#armed && push >= TOUCHED) {
      this.#armed = false;
      this.#touchedAt = now;
      return true;
    }
    if (push <= RELEASED && now - this.#touchedAt >= SWING_MS) this.#armed = true;
    return false;
  }

  #follow(commanded: number): void {
    if (this.#commanded === null || Math.abs(commanded - this.#commanded) > MOTION) this.#armed = false;
    this.#reference = commanded;
    this.#restsAt = Number.NaN;
  }

  #restWithoutTorque(measured: number, now: number): void {
    if (this.#commanded !== null) this.#reference = undefined;
    if (!(Math.abs(angleBetween(measured, this.#restsAt)) <= MOTION)) {
      this.#restsAt = measured;
      this.#restsSince = now;
    } else if (now - this.#restsSince >= REST_MS) this.#reference = this.#restsAt;
  }
}

/** Shortest way from b to a: a limp antenna may pass the end of its turn. */
function angleBetween(a: number, b: number): number {
  const turn = 2 * Math.PI;
  const difference = (a - b) % turn;
  return difference > Math.PI ? difference - turn : difference < -Math.PI ? difference + turn : difference;
}

/** Both antennas' sensors. */
export class TouchSensors {
  readonly #sensors = { right: new TouchSensor(), left: new TouchSensor() };

  /**
   * The antennas at which a touch begins with this sample.
   *
   * @param measured right, left; radians
   * @param commanded right, left; null for a limp antenna
   */
  sample(
    measured: readonly [number, number],
    commanded: readonly [number | null, number | null],
    now: number,
  ): ("right" | "left")[] {
    const right = this.#sensors.right.sample(measured[0], commanded[0], now);
    const left = this.#sensors.left.sample(measured[1], commanded[1], now);
    return [...(right ? (["right"] as const) : []), ...(left ? (["left"] as const) : [])];
  }
}
