import type { SimulatedRobot } from "../robot.ts";

/** What the page draws of a moment. */
export interface PageFrame {
  /** Simulated seconds. */
  readonly t: number;
  /** Radians, in the order of `JOINTS`. */
  readonly joints: readonly number[];
  /** Head pose, 4x4 row-major, metres; the identity is neutral. */
  readonly head: readonly number[];
  /** `fault` when a servo has a hardware error, `limp` when none has torque. */
  readonly glow: "awake" | "limp" | "fault";
  readonly plugged: boolean;
}

/** Digits behind the point: a hundredth of a millimetre, a thousandth of a degree. */
const DIGITS = 5;
const rounded = (value: number): number => Number(value.toFixed(DIGITS));

export function frameOf({ time, physics, servos, isPlugged }: SimulatedRobot): PageFrame {
  const { joints, head } = physics.posture();
  const isFaulty = servos.servos.some(({ alert }) => alert !== 0);
  const isHeld = servos.servos.some(({ memory }) => memory.get("torqueEnable") === 1);
  return {
    t: rounded(time),
    joints: joints.map(rounded),
    head: Array.from(head, rounded),
    glow: isFaulty ? "fault" : isHeld ? "awake" : "limp",
    plugged: isPlugged,
  };
}
