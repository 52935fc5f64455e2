/** Wear of a gear, in N m at the output shaft. */
export interface GearWear {
  /** Additional dry friction. */
  readonly friction: number;
  /** Amplitude of the torque ripple. */
  readonly cogging: number;
}

export const NO_WEAR: GearWear = { friction: 0, cogging: 0 };
