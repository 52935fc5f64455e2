import type { ConnectedRobot } from "./connected-robot.ts";

/** Radians from the reference angle from which a push counts as a touch. */
const TOUCH_ANGLE = 0.25;
/** Radians from the reference angle within which a touch is over and the next one can be detected. */
const RELEASE_ANGLE = 0.1;
/** Radians between two samples from which an antenna counts as moving. */
const MOTION_ANGLE = 0.02;
/**
 * A push that the motor withstands shows as current, A: holding an antenna needs less than 0.05, its own motion up to
 * 0.45, and overload begins at 1.4. A touch lasts for several samples, other than noise.
 */
const HOLDING_CURRENT = 0.2;
const MOVING_CURRENT = 0.7;
const EFFORT_SAMPLES = 3;
/** Radians between two samples from which the commanded angle counts as moving. */
const COMMAND_STEP = 0.001;
/** How long the motor may still need the current of its own motion after the commanded angle has stopped. */
const SETTLING_MS = 300;
/** An antenna without torque that has not moved for so long is still; its angle is then the reference. */
const STILL_MS = 1000;
/** An antenna that was flicked swings past its reference; for so long that counts as the same touch. */
const SWING_MS = 1000;

/**
 * Detects a touch by a hand and ignores the antenna's own motion. With torque a touch shows as the motor's effort, or as
 * a deviation from the commanded angle. Without torque it is a deviation from the angle at which the antenna was last
 * still, so that touching a sleeping robot is detected too.
 */
export class TouchSensor {
  #reference: number | undefined;
  #commanded: number | null = null;
  #armed = false;
  #touchedAt = Number.NEGATIVE_INFINITY;
  #stillAt = Number.NaN;
  #stillSince = 0;
  #commandMovedAt = Number.NEGATIVE_INFINITY;
  #effortSamples = 0;
  /** False from a touch until the antenna is released. */
  #released = true;

  /**
   * Takes the next sample (ten a second or more); true when a touch begins with it.
   *
   * @param measured radians
   * @param commanded radians, null while the antenna has no torque
   * @param current of the motor, A
   * @param now milliseconds
   */
  sample(measured: number, commanded: number | null, current: number, now: number): boolean {
    if (commanded === null) this.#updateWithoutTorque(measured, now);
    else this.#updateCommanded(commanded, now);
    const effort = commanded === null ? 0 : Math.abs(current) / this.#currentLimit(now);
    this.#effortSamples = effort >= 1 ? this.#effortSamples + 1 : 0;
    this.#commanded = commanded;
    if (this.#reference === undefined) return false;
    const push = Math.abs(signedDifference(measured, this.#reference));
    const isPushed = this.#armed && push >= TOUCH_ANGLE;
    if (this.#released && (isPushed || this.#effortSamples >= EFFORT_SAMPLES)) {
      this.#armed = false;
      this.#released = false;
      this.#touchedAt = now;
      return true;
    }
    if (push <= RELEASE_ANGLE && effort < 0.5 && now - this.#touchedAt >= SWING_MS) {
      this.#armed = true;
      this.#released = true;
    }
    return false;
  }

  #currentLimit(now: number): number {
    return now - this.#commandMovedAt < SETTLING_MS ? MOVING_CURRENT : HOLDING_CURRENT;
  }

  #updateCommanded(commanded: number, now: number): void {
    if (this.#commanded === null || Math.abs(commanded - this.#commanded) > COMMAND_STEP) this.#commandMovedAt = now;
    if (this.#commanded === null || Math.abs(commanded - this.#commanded) > MOTION_ANGLE) this.#armed = false;
    this.#reference = commanded;
    this.#stillAt = Number.NaN;
  }

  #updateWithoutTorque(measured: number, now: number): void {
    if (this.#commanded !== null) this.#reference = undefined;
    if (!(Math.abs(signedDifference(measured, this.#stillAt)) <= MOTION_ANGLE)) {
      this.#stillAt = measured;
      this.#stillSince = now;
    } else if (now - this.#stillSince >= STILL_MS) this.#reference = this.#stillAt;
  }
}

/** The shorter way from b to a, -pi to pi: an antenna without torque may pass the end of its turn. */
function signedDifference(a: number, b: number): number {
  const turn = 2 * Math.PI;
  const difference = (a - b) % turn;
  return difference > Math.PI ? difference - turn : difference < -Math.PI ? difference + turn : difference;
}

const ANTENNAS = [
  { name: "right", joint: 7 },
  { name: "left", joint: 8 },
] as const;

/** The touch sensors of both antennas. */
export class TouchSensors {
  readonly #sensors = ANTENNAS.map((antenna) => ({ ...antenna, sensor: new TouchSensor() }));

  /**
   * Takes the next sample of the robot's antennas.
   *
   * @param now milliseconds
   * @returns the antennas at which a touch begins with this sample
   */
  sample({ servos, motors }: Pick<ConnectedRobot, "servos" | "motors">, now: number): ("right" | "left")[] {
    return this.#sensors.flatMap(({ name, joint, sensor }) => {
      const hasTorque = motors.mode === "enabled" && motors.torque[joint];
      const commanded = hasTorque ? (motors.sent[joint] ?? null) : null;
      return sensor.sample(servos.position[joint] ?? 0, commanded, servos.current[joint] ?? 0, now) ? [name] : [];
    });
  }
}
