import { JOINTS, type JointName, type ServoModel as ModelName } from "../../../robot/description/joints.ts";
import { MODELS, RATED_VOLTAGE } from "../../../robot/servo/registers/models.ts";
import { P_GAIN_DIVISOR } from "../../../robot/servo/registers/units.ts";

/**
 * What the manufacturer does not publish, at the output shaft. The XL330-M288 was identified on a pendulum by others
 * (https://github.com/Rhoban/bam); docs/simulator.md says what was chosen.
 * - `friction`: N m of dry friction. An unpowered leg turns under the head's weight, as on the physical robot; an unpowered
 *   antenna (4 mN m) swings down. The body's metal gears have more.
 * - `viscosity`: N m s/rad; of the two others such that they draw 0.08 A without load, as usual for motors of this size.
 * - `rotorInertia`: kg m2; one rotor of 2.2e-8 kg m2, times the square of the gear ratio.
 * - `backlash`: radians of play; 0.25 degrees, a third of the usual value for plastic gears, as the load keeps one side.
 */
const CHOSEN = {
  "XL330-M288": { friction: 0.0095, viscosity: 5.4e-3, rotorInertia: 1.85e-3, backlash: 0.0044 },
  "XL330-M077": { friction: 0.002, viscosity: 1.8e-4, rotorInertia: 1.32e-4, backlash: 0.0044 },
  "XC330-M288": { friction: 0.02, viscosity: 2.2e-3, rotorInertia: 1.85e-3, backlash: 0.0035 },
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
  /** Of the firmware's position loop: units of the pulse width per tick are the P gain by this. */
  readonly positionGainDivisor: number;
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
  const { friction, viscosity, rotorInertia, backlash } = CHOSEN[name];
  const resistance = RATED_VOLTAGE / stallCurrent;
  const staticFriction = STATIC_SHARE * friction;
  const torquePerAmpere = (stallTorque + staticFriction) / stallCurrent;
  const noLoadCurrent = (friction + viscosity * noLoadSpeed) / torquePerAmpere;
  const backEmfConstant = (RATED_VOLTAGE - resistance * noLoadCurrent) / noLoadSpeed;
  const torqueConstant = Math.max(backEmfConstant, torquePerAmpere);
  const loadFriction = 1 - torquePerAmpere / torqueConstant;
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
    positionGainDivisor: P_GAIN_DIVISOR,
  };
}

/** The motor, gear and firmware of each servo model. */
export type MotorsByModel = Readonly<Record<ModelName, MotorParameters>>;

export const MOTORS: MotorsByModel = {
  "XL330-M288": parametersOf("XL330-M288"),
  "XL330-M077": parametersOf("XL330-M077"),
  "XC330-M288": parametersOf("XC330-M288"),
};

/** The motor and gear of a joint's servo. */
export function motorOf(joint: JointName, motors: MotorsByModel): MotorParameters {
  const found = JOINTS.find(({ name }) => name === joint);
  if (found === undefined) throw new RangeError(`there is no joint ${joint}`);
  return motors[found.model];
}

/** Spread of dry friction between gears of a model: plus or minus this share. */
const VARIATION = 0.15;

/** A gear's friction relative to that of its model. `random` returns numbers from 0 to 1. */
export const frictionScale = (random: () => number): number => 1 + VARIATION * (2 * random() - 1);
