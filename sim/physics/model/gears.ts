import { JOINTS, type JointName } from "../../../robot/description/joints.ts";
import type { MotorParameters, MotorsByModel } from "../../servos/motor/motor-parameters.ts";

/** Spread of dry friction between gears of a model: plus or minus this share. */
const VARIATION = 0.15;

/** A gear's friction relative to that of its model. `random` returns numbers from 0 to 1. */
export const frictionScale = (random: () => number): number => 1 + VARIATION * (2 * random() - 1);

/** The motor and gear of a joint's servo. */
export function motorOf(joint: JointName, motors: MotorsByModel): MotorParameters {
  const found = JOINTS.find(({ name }) => name === joint);
  if (found === undefined) throw new RangeError(`there is no joint ${joint}`);
  return motors[found.model];
}
