import { JOINTS } from "../../../robot/description/joints.ts";
import { stiffnessOf } from "../../../robot/servo/registers/models.ts";
import { MOTORS } from "../motor/motor-parameters.ts";
import { type SingleJoint, TestBench } from "./test-bench.ts";

/** Id of the servo of stewart_1, the joint that `benchWithJoint` returns. */
export const SERVO_ID = 11;
/** N m/rad with which this servo holds its goal, with the robot's gains at the rated voltage. */
export const STIFFNESS = stiffnessOf(JOINTS[1]);
/** Radians: dry friction can stop this joint as far as this from its goal. */
export const DEAD_BAND = MOTORS["XL330-M288"].staticFriction / STIFFNESS;

/** A test bench with all servos, and its joint stewart_1. */
export function benchWithJoint(): { bench: TestBench; joint: SingleJoint } {
  const bench = new TestBench();
  const [, joint] = bench.joints;
  if (joint === undefined) throw new Error("The bench has no stewart_1.");
  return { bench, joint };
}
