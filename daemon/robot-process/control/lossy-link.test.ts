import fc from "fast-check";
import { expect, test } from "vitest";
import { seededRandom } from "../../../common/seeded-random.ts";
import { ManualClock } from "../../../common/time/manual-clock.ts";
import { OperatingMode, type RegisterName } from "../../../robot/servo/registers/control-table.ts";
import type { MotorMode } from "../../../robot/wire/robot/robot-fields.ts";
import { Harness } from "./testing/harness.ts";
import { createSeparateServos, performStep, randomStep, type SeparateServos } from "./testing/random-steps.ts";
import { SimulatedLink, type Wire } from "./testing/simulated-link.ts";

/** From here on, packets are lost: those to the servos, those from them, or both. */
const loss = fc.record({
  lost: fc.constantFrom("to", "from", "both", "neither"),
  share: fc.double({ min: 0.02, max: 1, noNaN: true }),
  seed: fc.integer(),
});
const acts = fc.array(
  fc.tuple(
    fc.oneof({ weight: 3, arbitrary: randomStep }, { weight: 2, arbitrary: loss }),
    fc.integer({ min: 0, max: 400 }),
  ),
  { minLength: 5, maxLength: 20 },
);
type Loss = typeof loss extends fc.Arbitrary<infer T> ? T : never;

const INTACT: Wire = (bytes) => bytes;

function damage({ link }: Harness<SeparateServos>, { lost, share, seed }: Loss): void {
  const random = seededRandom(seed);
  const lossy: Wire = (bytes) => (random() < share ? null : bytes);
  link.toServos = lost === "to" || lost === "both" ? lossy : INTACT;
  link.fromServos = lost === "from" || lost === "both" ? lossy : INTACT;
}

const OPERATING_MODES: Partial<Record<MotorMode, number>> = {
  enabled: OperatingMode.position,
  gravity_compensation: OperatingMode.current,
};

/** A servo that has torque is in the operating mode of the motor mode. */
function checkServos({ robot, link }: Harness<SeparateServos>): void {
  const valuesOf = (name: RegisterName) => link.robot.servos.map(({ controlTable }) => controlTable.get(name));
  const modes = valuesOf("operatingMode");
  const withTorque = modes.filter((_, joint) => valuesOf("torqueEnable")[joint] === 1);
  expect(withTorque).toEqual(withTorque.map(() => OPERATING_MODES[robot.state.motorMode]));
}

test("whatever packets were lost meanwhile, every call is answered, servos and motor mode agree, and the robot can be moved", async () => {
  await fc.assert(
    fc.asyncProperty(acts, async (steps) => {
      const clock = new ManualClock();
      const harness = new Harness(clock, new SimulatedLink(clock, createSeparateServos));
      const { robot, link } = harness;
      await harness.until(() => robot.state.phase === "running");
      const answers: unknown[] = [];
      for (const [step, pause] of steps) {
        if ("lost" in step) damage(harness, step);
        else answers.push(Promise.resolve(performStep(harness, step)).catch((error: unknown) => error));
        await harness.run(pause);
      }
      link.toServos = INTACT;
      link.fromServos = INTACT;
      link.plugged = true;
      for (const answer of await harness.settle(Promise.all(answers))) {
        if (answer instanceof Error) expect(answer).toHaveProperty("code");
      }
      await harness.until(() => robot.state.phase === "running" && robot.state.move === null);
      // Servos are checked twice a second.
      await harness.run(1500);
      checkServos(harness);

      await harness.settle(robot.setMotorMode("enabled"));
      await harness.run(300);
      checkServos(harness);
      const there = { antennas: [0.3, 0.3] as const, duration: 0.3, method: "linear" as const };
      expect(await harness.settle(robot.goto(there))).toBe("finished");
      await harness.settle(robot.close());
    }),
    { numRuns: 20 },
  );
});
