import { RATED_VOLTAGE, type ServoModel } from "../../robot/servo/models.ts";

/*
 * The servo's motor as an ideal direct-current motor behind its gear. Estimates: the maker gives stall torque, stall
 * current and no-load speed only; gear losses are taken as part of the torque constant.
 */

/** N m at the output shaft for each ampere. */
export const torqueConstant = (model: ServoModel) => model.stallTorque / model.stallCurrent;

/** Ohms, from the stall current. */
export const windingResistance = (model: ServoModel) => RATED_VOLTAGE / model.stallCurrent;

/**
 * Greatest torque in N m that the voltage can still drive at this velocity: stall torque at rest, none at the no-load
 * speed, and up to stall torque again when the motor brakes.
 *
 * @param direction of the torque, 1 or -1
 */
export function availableTorque(model: ServoModel, volts: number, velocity: number, direction: number): number {
  const share = volts / RATED_VOLTAGE - (direction * velocity) / model.noLoadSpeed;
  return model.stallTorque * Math.max(0, Math.min(1, share));
}

/** Share of the full pulse width (-1..1) that this torque needs at this velocity. */
export function pwmShare(model: ServoModel, torque: number, velocity: number): number {
  return Math.max(-1, Math.min(1, torque / model.stallTorque + velocity / model.noLoadSpeed));
}
