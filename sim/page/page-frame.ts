/** The robot at one moment, as robot-sim sends it to its page. */
export interface PageFrame {
  /** Simulated seconds. */
  readonly t: number;
  /** Radians, in the order of `JOINTS`. */
  readonly joints: readonly number[];
  /** Head pose, 4x4 row-major, metres; the identity is neutral. */
  readonly head: readonly number[];
  /** The colour of the eyes: `fault` when a servo has a hardware error, `off` when no motor has torque. */
  readonly glow: "on" | "off" | "fault";
  readonly plugged: boolean;
}
