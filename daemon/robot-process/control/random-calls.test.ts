import fc from "fast-check";
import { expect, test } from "vitest";
import { ManualClock } from "../../../common/time/manual-clock.ts";
import { JOINT_NAMES, JOINTS } from "../../../robot/description/joints.ts";
import { SLEEP_POSE } from "../../../robot/description/poses.ts";
import { inverseKinematics } from "../../../robot/kinematics/inverse.ts";
import { poseFromRpy } from "../../../robot/kinematics/pose.ts";
import type { RobotState } from "../../../robot/wire/robot/robot-state.ts";
import { TestBench } from "../../../sim/servos/testing/test-bench.ts";
import { Harness } from "./testing/harness.ts";
import { type SimulatedDevice, SimulatedLink } from "./testing/simulated-link.ts";

/** N m s/rad. There is no gravity here, so gravity compensation needs some resistance. */
const GEAR_DRAG = 0.02;

const asleep = inverseKinematics(SLEEP_POSE.head, 0);
if (!("stewart" in asleep)) throw new Error("the sleep posture has joint angles");
const ASLEEP = [SLEEP_POSE.bodyYaw, ...asleep.stewart, ...SLEEP_POSE.antennas];

/** The simulated firmware of nine servos on nine separate joints, without the platform that connects them. @param angles rad */
function bench(transmit: (bytes: Uint8Array) => void, angles: readonly number[] = ASLEEP): SimulatedDevice {
  const { bus, joints } = new TestBench();
  for (const [index, angle] of angles.entries()) joints[index]?.turnTo(angle);
  let steps = 0;
  return {
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
const act = fc.oneof(
  fc.record({ call: fc.constantFrom("wakeUp", "goToSleep", "endAppSession", "cancelMove"), args: fc.constant([]) }),
  fc.record({ call: fc.constant("setTarget"), args: fc.tuple(target) }),
  fc.record({ call: fc.constant("goto"), args: moves.map(({ wanted, ...how }) => [{ ...wanted, ...how }]) }),
  fc.record({ call: fc.constant("setMotorMode"), args: fc.tuple(mode) }),
  fc.record({ call: fc.constant("setTorque"), args: fc.tuple(fc.boolean(), joints) }),
  fc.record({ call: fc.constant("setAutomaticBodyYaw"), args: fc.tuple(fc.boolean()) }),
  fc.record({ cable: fc.constantFrom("pulled", "plugged in") }),
);
type Act = typeof act extends fc.Arbitrary<infer T> ? T : never;

function perform({ robot, link }: Harness<SimulatedDevice>, act: Act): unknown {
  if ("call" in act) return (robot[act.call as "goto"] as (...args: unknown[]) => unknown).apply(robot, [...act.args]);
  if (act.cable === "pulled") link.unplug();
  else link.plugged = true;
  return undefined;
}

function checkState(state: RobotState): void {
  const { phase, motorMode, sent, move } = state;
  if (phase === "running") expect(sent === null).toBe(motorMode !== "enabled");
  if (move !== null) expect([phase, motorMode]).toEqual(["running", "enabled"]);
  const goals = sent === null ? [] : [...sent.headJoints, ...sent.antennas];
  goals.forEach((goal, joint) => {
    const [low, high] = JOINTS[joint]!.range;
    expect(goal).toBeGreaterThanOrEqual(low - 0.01);
    expect(goal).toBeLessThanOrEqual(high + 0.01);
  });
}

const TURN = 2 * Math.PI;
/** How the warning ends that the end of an app session gives while the robot is not connected. */
const RETURNS_LATER = "It returns to its default pose when it is connected again.";

/** No joint moves faster than twice its maximum velocity; the factor leaves room for one that swings. */
function checkSpeeds(states: readonly RobotState[]): void {
  states.forEach((state, index) => {
    const last = states[index - 1];
    const seconds = state.timestamp - (last?.timestamp ?? 0);
    if (last?.phase !== "running" || seconds < 0.015 || state.motorMode !== "enabled") return;
    const before = [...last.headJoints, ...last.antennas];
    [...state.headJoints, ...state.antennas].forEach((measured, joint) => {
      // A servo forgets whole turns when its torque is enabled; between two states no joint turns that far.
      const change = measured - before[joint]!;
      const speed = Math.abs(change - TURN * Math.round(change / TURN)) / seconds;
      expect(speed / JOINTS[joint]!.maxVelocity).toBeLessThan(2);
    });
  });
}

test("random calls in random order: goals stay in range, joints never jump and every call is answered", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.tuple(act, fc.integer({ min: 0, max: 400 })), { minLength: 5, maxLength: 20 }),
      async (acts) => {
        const clock = new ManualClock();
        const harness = new Harness(clock, new SimulatedLink(clock, bench));
        await harness.until(() => harness.robot.state.phase === "running");
        const answers: Promise<unknown>[] = [];
        for (const [act, pause] of acts) {
          const answer = perform(harness, act);
          if (answer instanceof Promise) answers.push(answer.catch((error: unknown) => error));
          await harness.run(pause);
        }
        harness.link.plugged = true;
        for (const answer of await harness.settle(Promise.all(answers))) {
          if (answer instanceof Error) expect(answer).toHaveProperty("code");
        }
        await harness.until(() => harness.robot.state.phase === "running");
        for (const state of harness.states) checkState(state);
        checkSpeeds([...new Map(harness.states.map((state) => [state.timestamp, state])).values()]);
        const wasPulled = acts.some(([one]) => "cable" in one && one.cable === "pulled");
        const faults = harness
          .eventsOf("fault")
          .filter(({ message }) => !(wasPulled && message.endsWith(RETURNS_LATER)));
        expect(faults).toEqual([]);
        await harness.settle(harness.robot.close());
      },
    ),
    { numRuns: 25 },
  );
}, 180_000);

/** Angles at which the leg that holds most would need a thousand times what its servo has, rad. */
const HARDLY_HELD = [-1.403, -0.618, -0.485, -0.207, -0.444, 0.913, -1.106, 0.426, 3.088];

test("gravity compensation begins at any angles of the joints, also where the legs could not hold the head", async () => {
  const angles = fc.tuple(...JOINTS.map(({ range: [min, max] }) => fc.double({ min, max, noNaN: true })));
  await fc.assert(
    fc.asyncProperty(angles, async (angles) => {
      const clock = new ManualClock();
      const harness = new Harness(clock, new SimulatedLink(clock, (transmit) => bench(transmit, angles)));
      await harness.until(() => harness.robot.state.phase === "running");
      await harness.settle(harness.robot.setMotorMode("gravity_compensation"));
      await harness.run(300);
      expect(harness.robot.state).toMatchObject({ phase: "running", motorMode: "gravity_compensation" });
      await harness.settle(harness.robot.close());
    }),
    { numRuns: 50, examples: [[HARDLY_HELD]] },
  );
});
