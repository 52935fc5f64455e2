import { RATED_VOLTAGE, type ServoModel } from "../../../robot/servo/registers/models.ts";

/*
 * The servo's motor as an ideal direct-current motor behind its gearbox. Estimates: the manufacturer publishes only stall
 * torque, stall current and no-load speed; gear losses are part of the torque constant.
 */

/** N m at the output shaft per ampere. */
export const torqueConstant = (model: ServoModel) => model.stallTorque / model.stallCurrent;

/** Ohms, computed from the stall current. */
export const windingResistance = (model: ServoModel) => RATED_VOLTAGE / model.stallCurrent;

/**
 * Maximum torque in N m at this voltage and velocity: the stall torque at standstill, 0 at the no-load speed, and up to
 * the stall torque while the motor brakes.
 *
 * @param direction of the torque, 1 or -1
 */
export function availableTorque(model: ServoModel, volts: number, velocity: number, direction: number): number {
  const share = volts / RATED_VOLTAGE - (direction * velocity) / model.noLoadSpeed;
  return model.stallTorque * Math.max(0, Math.min(1, share));
}

/** Share of the full pulse width (-1 to 1) for this torque at this velocity. */
export function pwmShare(model: ServoModel, torque: number, velocity: number): number {
  return Math.max(-1, Math.min(1, torque / model.stallTorque + velocity / model.noLoadSpeed));
}
