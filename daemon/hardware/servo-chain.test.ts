import fc from "fast-check";
import { expect, test } from "vitest";
import { JOINTS } from "../../robot/description/joints.ts";
import { ticksToRadians } from "../../robot/servo/units.ts";
import { TestBench } from "../../sim/servos/test-bench.ts";
import { settle } from "../control/testing/settle.ts";
import { type Machine, SimulatedLink } from "../control/testing/simulated-link.ts";
import { ServoBus } from "./bus.ts";
import { ManualClock } from "./manual-clock.ts";
import { ALL_JOINTS, ServoChain } from "./servo-chain.ts";

const TICK = ticksToRadians(1) - ticksToRadians(0);

/** Nine servos on nine lone joints that stand at these angles, and the chain that drives them. */
async function chainOf(angles: readonly number[]) {
  const clock = new ManualClock();
  const bench = new TestBench();
  bench.joints.forEach((joint, index) => {
    joint.turnTo(angles[index] ?? 0);
  });
  let lived = 0;
  const link = new SimulatedLink<Machine>(clock, (transmit) => ({
    receive: (bytes) => {
      for (const reply of bench.bus.receive(bytes)) transmit(reply.bytes);
    },
    advanceTo: (seconds) => {
      bench.run(seconds - lived);
      lived = Math.max(lived, seconds);
    },
  }));
  bench.run(0.5);
  bench.joints.forEach((joint, index) => {
    joint.turnTo(angles[index] ?? 0);
  });
  const servos = new ServoChain(new ServoBus(await link.open(), clock));
  return { bench, servos, settled: <T>(promise: Promise<T>) => settle(clock, promise) };
}

/** Where hands can leave a joint without torque: legs between their stops, the rest anywhere, by whole turns too. */
const anyAngles = fc.tuple(
  ...JOINTS.map(({ name, range: [lower, upper] }) =>
    name.startsWith("stewart")
      ? fc.double({ min: lower, max: upper, noNaN: true })
      : fc.double({ min: -10, max: 10, noNaN: true }),
  ),
);

test("torque on moves no joint, however far it was turned by hand", async () => {
  await fc.assert(
    fc.asyncProperty(anyAngles, async (angles) => {
      const { bench, servos, settled } = await chainOf(angles);
      const pinned = await settled(servos.turnOn(ALL_JOINTS));
      bench.run(0.5);
      await settled(servos.measure(ALL_JOINTS));
      bench.joints.forEach((joint, index) => {
        expect(Math.abs(joint.position() - (angles[index] ?? 0))).toBeLessThan(2 * TICK);
        expect(Math.abs((servos.position[index] ?? 0) - (pinned[index] ?? 0))).toBeLessThan(2 * TICK);
      });
    }),
    { numRuns: 20, examples: [[[0, 0, 0, 0, 0, 0, 0, -Math.PI - 0.02, Math.PI + 0.02]]] },
  );
});

test("torque on in current control begins with the currents that were asked for", async () => {
  const { bench, servos, settled } = await chainOf([]);
  for (const { id } of JOINTS) bench.write(id, "operatingMode", 0);
  await settled(servos.turnOnCurrents(ALL_JOINTS.map((index) => index / 100)));
  expect(JOINTS.map(({ id }) => [bench.read(id, "torqueEnable"), bench.read(id, "goalCurrent")])).toEqual(
    ALL_JOINTS.map((index) => [1, 10 * index]),
  );
});
