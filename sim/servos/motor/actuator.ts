/** Wear of a gear, in N m at the output shaft. */
export interface GearWear {
  /** Additional dry friction. */
  readonly friction: number;
  /** Amplitude of the torque ripple. */
  readonly cogging: number;
}

export const NO_GEAR_WEAR: GearWear = { friction: 0, cogging: 0 };

/**
 * Command of a servo to its motor, valid until the next command. A servo sets the voltage at its motor or switches the
 * motor's driver off; a position is held by an ideal drive, for a jammed gear and for measurements of the mechanism. Stiffness
 * in N m/rad, damping in N m s/rad, torque in N m, angles in radians.
 */
export type DriveCommand =
  | { kind: "voltage"; volts: number; wear?: GearWear }
  | { kind: "position"; target: number; stiffness: number; damping: number; maxTorque: number }
  | { kind: "off"; wear?: GearWear };

/** One joint motor of the simulated robot. Positions are joint angles, not servo ticks. */
export interface Actuator {
  /** Joint angle in radians. */
  position(): number;
  /** Joint velocity in rad/s. */
  velocity(): number;
  /** Torque in N m that the motor exerted in the last step, positive in the direction of growing angle. */
  torque(): number;
  drive(command: DriveCommand): void;
}
