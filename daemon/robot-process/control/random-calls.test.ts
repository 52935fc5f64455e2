import fc from "fast-check";
import { expect, test } from "vitest";
import { ManualClock } from "../../../common/time/manual-clock.ts";
import { JOINTS } from "../../../robot/description/joints.ts";
import type { RobotState } from "../../../robot/wire/robot/robot-state.ts";
import { Harness } from "./testing/harness.ts";
import { createSeparateServos, performStep, randomStep } from "./testing/random-steps.ts";
import { SimulatedLink } from "./testing/simulated-link.ts";

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
      fc.array(fc.tuple(randomStep, fc.integer({ min: 0, max: 400 })), { minLength: 5, maxLength: 20 }),
      async (steps) => {
        const clock = new ManualClock();
        const harness = new Harness(clock, new SimulatedLink(clock, createSeparateServos));
        await harness.until(() => harness.robot.state.phase === "running");
        const answers: Promise<unknown>[] = [];
        for (const [step, pause] of steps) {
          const answer = performStep(harness, step);
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
        const wasPulled = steps.some(([one]) => "cable" in one && one.cable === "pulled");
        const faults = harness
          .eventsOf("fault")
          .filter(({ message }) => !(wasPulled && message.endsWith(RETURNS_LATER)));
        expect(faults).toEqual([]);
        await harness.settle(harness.robot.close());
      },
    ),
    { numRuns: 25 },
  );
});

/** Angles at which the leg that holds most would need a thousand times what its servo has, rad. */
const HARDLY_HELD = [-1.403, -0.618, -0.485, -0.207, -0.444, 0.913, -1.106, 0.426, 3.088];

test("gravity compensation begins at any angles of the joints, also where the legs could not hold the head", async () => {
  const angles = fc.tuple(...JOINTS.map(({ range: [min, max] }) => fc.double({ min, max, noNaN: true })));
  await fc.assert(
    fc.asyncProperty(angles, async (angles) => {
      const clock = new ManualClock();
      const harness = new Harness(
        clock,
        new SimulatedLink(clock, (transmit) => createSeparateServos(transmit, angles)),
      );
      await harness.until(() => harness.robot.state.phase === "running");
      await harness.settle(harness.robot.setMotorMode("gravity_compensation"));
      await harness.run(300);
      expect(harness.robot.state).toMatchObject({ phase: "running", motorMode: "gravity_compensation" });
      await harness.settle(harness.robot.close());
    }),
    { numRuns: 50, examples: [[HARDLY_HELD]] },
  );
});
