import { JOINTS } from "../../../robot/description/joints.ts";
import { stiffnessOf } from "../../../robot/servo/registers/models.ts";
import { MOTORS } from "../motor/motor-parameters.ts";
import { type SingleJoint, TestBench } from "./test-bench.ts";

/** stewart_1 of the bench that `benchWithJoint` makes. */
export const ID = 11;
/** N m/rad with which the servo `ID` holds its goal at the robot's gains and its rated voltage: 0.52. */
export const STIFFNESS = stiffnessOf(JOINTS[1]);
/** Radians: dry friction keeps a joint this far from its goal. */
export const DEAD_BAND = MOTORS["XL330-M288"].staticFriction / STIFFNESS;

/** A test bench, and the joint of the servo `ID`. */
export function benchWithJoint(): { bench: TestBench; joint: SingleJoint } {
  const made = new TestBench();
  const [, joint] = made.joints;
  if (joint === undefined) throw new Error("no joint");
  return { bench: made, joint };
}
