import type { ServoModel as ModelName } from "../../../robot/description/joints.ts";
import { MODELS, RATED_VOLTAGE } from "../../../robot/servo/registers/models.ts";

/**
 * What the manufacturer does not publish. Chosen; the reasons:
 * - `noLoadCurrent`: A; motors of this size draw 60 to 100 mA.
 * - `friction`: N m of dry friction at the output. An unpowered leg turns under the head's weight (15 to 20 mN m), as on
 *   the physical robot; an unpowered antenna (4 mN m) swings down. The body's metal gears have more.
 * - `rotorInertia`: kg m2 at the output: a rotor of 1.2e-8 kg m2 times the square of the gear ratio.
 * - `backlash`: radians of play; 0.25 degrees, a third of the usual value for plastic gears, as the load keeps one side.
 */
const CHOSEN = {
  "XL330-M288": { noLoadCurrent: 0.08, friction: 0.012, rotorInertia: 1e-3, backlash: 0.0044 },
  "XL330-M077": { noLoadCurrent: 0.08, friction: 0.002, rotorInertia: 7.1e-5, backlash: 0.0044 },
  "XC330-M288": { noLoadCurrent: 0.08, friction: 0.02, rotorInertia: 1e-3, backlash: 0.0035 },
} as const satisfies Record<ModelName, object>;

/** Parameters of a servo's motor and gear, at the output shaft. */
export interface MotorParameters {
  /** Ohms: rated voltage by stall current (data sheet). */
  readonly resistance: number;
  /** N m/A before gear losses, and V s/rad. Equal for an ideal motor. */
  readonly torqueConstant: number;
  readonly backEmfConstant: number;
  /** N m of dry friction that does not depend on the load, in motion and at the start of it. */
  readonly friction: number;
  readonly staticFriction: number;
  /** Share of the motor's torque that the loaded gears lose. */
  readonly loadFriction: number;
  /** N m s/rad. */
  readonly viscosity: number;
  /** kg m2 at the output. */
  readonly rotorInertia: number;
  /** Radians. */
  readonly backlash: number;
}

/** Static friction in multiples of that in motion: the usual value for greased plastic gears. */
const STATIC_SHARE = 1.3;

/**
 * Computes the motor from the data sheet's three figures at 6 V, so that stall torque, stall current and no-load speed come
 * out exactly. The back-EMF constant follows from the no-load speed. An ideal motor has the same torque constant, and what
 * the stall torque lacks of it is the gear's loss under load. The XL330-M077 has a higher stall torque than its speed
 * allows an ideal motor; it gets a higher torque constant and no such loss.
 */
function parametersOf(name: ModelName): MotorParameters {
  const { stallTorque, stallCurrent, noLoadSpeed } = MODELS[name];
  const { noLoadCurrent, friction, rotorInertia, backlash } = CHOSEN[name];
  const resistance = RATED_VOLTAGE / stallCurrent;
  const backEmfConstant = (RATED_VOLTAGE - resistance * noLoadCurrent) / noLoadSpeed;
  const staticFriction = STATIC_SHARE * friction;
  const torqueConstant = Math.max(backEmfConstant, (stallTorque + staticFriction) / stallCurrent);
  const loadFriction = Math.max(0, 1 - (stallTorque + staticFriction) / (torqueConstant * stallCurrent));
  const noLoadTorque = torqueConstant * noLoadCurrent * (1 - loadFriction);
  const viscosity = (noLoadTorque - friction) / noLoadSpeed;
  return {
    resistance,
    torqueConstant,
    backEmfConstant,
    friction,
    staticFriction,
    loadFriction,
    viscosity,
    rotorInertia,
    backlash,
  };
}

export const MOTORS: Readonly<Record<ModelName, MotorParameters>> = {
  "XL330-M288": parametersOf("XL330-M288"),
  "XL330-M077": parametersOf("XL330-M077"),
  "XC330-M288": parametersOf("XC330-M288"),
};
