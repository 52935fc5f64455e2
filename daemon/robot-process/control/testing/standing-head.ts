import { expect } from "vitest";
import { DEGREE } from "../../../../common/degree.ts";
import type { Pose } from "../../../../robot/description/frames.ts";
import { poseFromRpy } from "../../../../robot/kinematics/pose.ts";
import { MOTORS, type MotorsByModel } from "../../../../sim/servos/motor/motor-parameters.ts";
import { Harness, type PhysicalHarness } from "./harness.ts";
import { AT_REST, headError, STANDING_MS } from "./head-error.ts";

/** A head pose: degrees, and metres above the neutral head. */
export const tiltedHead = (roll: number, pitch: number, yaw: number, z = 0): Pose =>
  poseFromRpy([0, 0, z], { roll: roll * DEGREE, pitch: pitch * DEGREE, yaw: yaw * DEGREE });

/** Head poses all over the workspace. */
export const HEAD_TARGETS = [
  tiltedHead(0, 0, 40),
  tiltedHead(15, 10, 0),
  tiltedHead(0, -15, -30, 0.005),
  tiltedHead(0, 0, 0, -0.02),
  tiltedHead(0, 20, 0),
] as const;

/** The goals that the servos have, ticks. */
export const goalsOf = ({ link }: PhysicalHarness) =>
  link.robot.servos.servos.map(({ controlTable }) => controlTable.get("goalPosition"));

export const moveHead = (harness: PhysicalHarness, head: Pose) =>
  harness.settle(harness.robot.goto({ head, duration: 1, method: "minjerk" }));

/** The motors with another divisor of the position gain: the manual says 128, measurements 256. */
export function withDivisor(positionGainDivisor: number): MotorsByModel {
  const entries = Object.entries(MOTORS).map(([name, motor]) => [name, { ...motor, positionGainDivisor }]);
  return Object.fromEntries(entries) as MotorsByModel;
}

/** Expects that a robot gets its head within 1 degree and 1 mm of each target. @param supply V */
export async function expectHeadAtTargets(divisor: number, supply: number): Promise<void> {
  const harness = await Harness.awakeInPhysics(supply, withDivisor(divisor));
  for (const head of HEAD_TARGETS) {
    await moveHead(harness, head);
    await harness.run(STANDING_MS + 2000);
    expect(headError(harness, head).degrees).toBeLessThan(AT_REST.degrees);
    expect(headError(harness, head).mm).toBeLessThan(AT_REST.mm);
  }
}

/** Expects that goals and joints of a robot that stands stay as they are. */
export async function expectNoOscillation(divisor: number): Promise<void> {
  const harness = await Harness.awakeInPhysics(7, withDivisor(divisor));
  for (const head of HEAD_TARGETS.slice(0, 3)) {
    await moveHead(harness, head);
    await harness.run(2 * STANDING_MS);
    const [goals, joints] = [goalsOf(harness), harness.link.robot.physics.posture().joints];
    for (let second = 0; second < 10; second += 1) {
      await harness.run(1000);
      expect(goalsOf(harness)).toEqual(goals);
      harness.link.robot.physics.posture().joints.forEach((angle, joint) => {
        expect(Math.abs(angle - (joints[joint] ?? 0))).toBeLessThan(0.1 * DEGREE);
      });
    }
  }
}
