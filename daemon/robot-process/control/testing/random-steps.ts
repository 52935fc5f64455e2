import fc from "fast-check";
import { JOINT_NAMES } from "../../../../robot/description/joints.ts";
import { SLEEP_POSE } from "../../../../robot/description/poses.ts";
import { inverseKinematics } from "../../../../robot/kinematics/inverse.ts";
import { poseFromRpy } from "../../../../robot/kinematics/pose.ts";
import { TestBench } from "../../../../sim/servos/testing/test-bench.ts";
import type { Harness } from "./harness.ts";
import type { SimulatedDevice } from "./simulated-link.ts";

/** N m s/rad. There is no gravity here, so gravity compensation needs some resistance. */
const GEAR_DRAG = 0.02;

const asleep = inverseKinematics(SLEEP_POSE.head, 0);
if (!("stewart" in asleep)) throw new Error("the sleep posture has joint angles");
const ASLEEP = [SLEEP_POSE.bodyYaw, ...asleep.stewart, ...SLEEP_POSE.antennas];

/** The simulated firmware of nine servos on nine separate joints, without the platform that connects them. */
export interface SeparateServos extends SimulatedDevice {
  readonly servos: TestBench["bus"]["servos"];
}

/** @param angles rad */
export function createSeparateServos(
  transmit: (bytes: Uint8Array) => void,
  angles: readonly number[] = ASLEEP,
): SeparateServos {
  const { bus, joints } = new TestBench();
  for (const [index, angle] of angles.entries()) joints[index]?.turnTo(angle);
  let steps = 0;
  return {
    servos: bus.servos,
    receive: (bytes) => {
      for (const reply of bus.receive(bytes)) transmit(reply.bytes);
    },
    advanceTo: (seconds) => {
      for (; steps < seconds * 1000; steps++) {
        bus.advance(1e-3);
        for (const joint of joints) {
          joint.load = -GEAR_DRAG * joint.velocity();
          joint.step(1e-3);
        }
      }
    },
  };
}

const angle = fc.double({ min: -4, max: 4, noNaN: true });
const metres = fc.double({ min: -0.1, max: 0.1, noNaN: true });
const head = fc
  .tuple(metres, metres, metres, angle, angle, angle)
  .map(([x, y, z, roll, pitch, yaw]) => [...poseFromRpy([x, y, z], { roll, pitch, yaw })]);
const target = fc.record(
  { head, antennas: fc.tuple(angle, angle), bodyYaw: fc.oneof(angle, fc.constant(Number.NaN)) },
  { requiredKeys: [] },
);
const joints = fc.option(fc.subarray([...JOINT_NAMES]));

const moves = fc.record({
  wanted: target,
  duration: fc.double({ min: 0.05, max: 1, noNaN: true }),
  method: fc.constantFrom("linear", "minjerk", "cartoon"),
});
const mode = fc.constantFrom("enabled", "disabled", "gravity_compensation");

/** One random step: a call of a method, or a change at the cable. */
export const randomStep = fc.oneof(
  fc.record({ call: fc.constantFrom("wakeUp", "goToSleep", "endAppSession", "cancelMove"), args: fc.constant([]) }),
  fc.record({ call: fc.constant("setTarget"), args: fc.tuple(target) }),
  fc.record({ call: fc.constant("goto"), args: moves.map(({ wanted, ...how }) => [{ ...wanted, ...how }]) }),
  fc.record({ call: fc.constant("setMotorMode"), args: fc.tuple(mode) }),
  fc.record({ call: fc.constant("setTorque"), args: fc.tuple(fc.boolean(), joints) }),
  fc.record({ call: fc.constant("setAutomaticBodyYaw"), args: fc.tuple(fc.boolean()) }),
  fc.record({ cable: fc.constantFrom("pulled", "plugged in") }),
);
type RandomStep = typeof randomStep extends fc.Arbitrary<infer T> ? T : never;

/** @returns the answer of a call */
export function performStep({ robot, link }: Harness<SeparateServos>, step: RandomStep): unknown {
  if ("call" in step)
    return (robot[step.call as "goto"] as (...args: unknown[]) => unknown).apply(robot, [...step.args]);
  if (step.cable === "pulled") link.unplug();
  else link.plugged = true;
  return undefined;
}
