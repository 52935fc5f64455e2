import { type SingleJoint, TestBench } from "./test-bench.ts";

/** stewart_1 of the bench that `benchWithJoint` makes. */
export const ID = 11;
/** Radians: dry friction keeps a joint this far from its goal at the robot's gains (15.6 mN m by 1 N m/rad). */
export const DEAD_BAND = 0.017;

/** A test bench, and the joint of the servo `ID`. */
export function benchWithJoint(): { bench: TestBench; joint: SingleJoint } {
  const made = new TestBench();
  const [, joint] = made.joints;
  if (joint === undefined) throw new Error("no joint");
  return { bench: made, joint };
}
