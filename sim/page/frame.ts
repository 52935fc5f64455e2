import type { SimulatedRobot } from "../robot.ts";
import type { PageFrame } from "./page-frame.ts";

/** To a hundredth of a millimetre, or a thousandth of a degree. */
export const rounded = (value: number): number => Number(value.toFixed(5));

export function frameOf({ time, physics, servos, isPlugged }: SimulatedRobot): PageFrame {
  const { joints, head } = physics.posture();
  const { position, rotation } = physics.base();
  const isFaulty = servos.servos.some(({ alert }) => alert !== 0);
  const isHeld = servos.servos.some(({ controlTable }) => controlTable.get("torqueEnable") === 1);
  return {
    t: rounded(time),
    joints: joints.map(rounded),
    head: Array.from(head, rounded),
    foot: { position: position.map(rounded), rotation: rotation.map(rounded) },
    glow: isFaulty ? "fault" : isHeld ? "on" : "off",
    plugged: isPlugged,
  };
}
