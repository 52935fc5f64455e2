import fc from "fast-check";
import { expect, test } from "vitest";
import { BODIES } from "../description/bodies.ts";
import type { Pose, SixLegs, Vec3 } from "../description/frames.ts";
import { HEAD_AT_ZERO, HEAD_HEIGHT, LEFT_ANTENNA, LEGS, RIGHT_ANTENNA } from "../description/geometry.ts";
import { forwardKinematics } from "./forward.ts";
import { gravityTorques } from "./gravity.ts";
import { nearestReachable } from "./nearest.ts";
import { poseFromRpy, positionOf, rotationOf } from "./pose.ts";
import { fromAxisAngle, rotate } from "./quaternion.ts";
import { add, subtract } from "./vector.ts";

const part = (name: string) => BODIES.find((body) => body.name === name)!;

/** Joules, from the height of every moving part. */
function potentialEnergy(stewart: SixLegs, antennas: readonly [number, number], guess: Pose): number {
  const head = forwardKinematics(stewart, 0, guess)!;
  const carried = (point: Vec3) => add(add(rotate(rotationOf(head), point), positionOf(head)), [0, 0, HEAD_HEIGHT])[2];
  let energy = part("head").mass * carried(add(subtract(part("head").origin, HEAD_AT_ZERO), part("head").centre));
  for (const [index, leg] of LEGS.entries()) {
    const turn = fromAxisAngle(leg.axis, stewart[index]!);
    const arm = part(`arm_${index + 1}`);
    const elbow = add(leg.motor, rotate(turn, subtract(leg.elbow, leg.motor)))[2];
    energy += arm.mass * (leg.motor[2] + rotate(turn, arm.centre)[2]);
    energy += part("rod_1").mass * ((elbow + carried(leg.ball)) / 2);
  }
  for (const [index, { anchor, axis }] of [RIGHT_ANTENNA, LEFT_ANTENNA].entries()) {
    const antenna = part(index === 0 ? "right_antenna" : "left_antenna");
    energy += antenna.mass * carried(add(anchor, rotate(fromAxisAngle(axis, antennas[index]!), antenna.centre)));
  }
  return 9.81 * energy;
}

const between = (min: number, max: number) => fc.double({ min, max, noNaN: true });

test("gravity torques are the slope of the potential energy in every joint", () => {
  fc.assert(
    fc.property(
      fc.tuple(between(-0.02, 0.02), between(-0.02, 0.02), between(-0.02, 0.02)),
      fc.record({ roll: between(-0.3, 0.3), pitch: between(-0.3, 0.3), yaw: between(-0.5, 0.5) }),
      fc.tuple(between(-3, 3), between(-3, 3)),
      (position, rpy, antennas) => {
        const { head, stewart } = nearestReachable(poseFromRpy(position, rpy), 0);
        const torques = gravityTorques([0, ...stewart, ...antennas], head);
        const step = 1e-5;
        const slope = (joint: number) => {
          const energyAt = (delta: number) => {
            const moved = [...stewart, ...antennas].map((angle, at) => (at === joint ? angle + delta : angle));
            return potentialEnergy(moved.slice(0, 6) as never, moved.slice(6) as never, head);
          };
          return (energyAt(step) - energyAt(-step)) / (2 * step);
        };
        expect(torques[0]).toBe(0);
        for (let joint = 0; joint < 8; joint++) expect(torques[joint + 1]).toBeCloseTo(slope(joint), 5);
      },
    ),
  );
});

test("the body yaw does not change the torques", () => {
  const { head, stewart } = nearestReachable(poseFromRpy([0, 0, 0], { roll: 0.2, pitch: 0.1, yaw: 1 }), 0.8);
  const turned = nearestReachable(poseFromRpy([0, 0, 0], { roll: 0.2, pitch: 0.1, yaw: 0.2 }), 0);
  const torques = gravityTorques([0.8, ...stewart, 0, 0], head);
  for (const [joint, torque] of gravityTorques([0, ...turned.stewart, 0, 0], turned.head).entries())
    expect(torques[joint]).toBeCloseTo(torque, 9);
});
