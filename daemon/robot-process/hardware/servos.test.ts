import fc from "fast-check";
import { expect, test } from "vitest";
import { advanceUntilSettled, ManualClock } from "../../../common/time/manual-clock.ts";
import { JOINTS } from "../../../robot/description/joints.ts";
import { Instruction } from "../../../robot/servo/protocol/packet.ts";
import { REGISTERS } from "../../../robot/servo/registers/control-table.ts";
import { ticksToRadians } from "../../../robot/servo/registers/units.ts";
import { TestBench } from "../../../sim/servos/testing/test-bench.ts";
import { dropWrites } from "../control/testing/drop-writes.ts";
import { benchLink } from "../control/testing/simulated-link.ts";
import { ServoBus } from "./bus/servo-bus.ts";
import { ALL_JOINTS, Servos } from "./servos.ts";

const TICK = ticksToRadians(1) - ticksToRadians(0);

/** Nine simulated servos on nine separate joints at these angles, radians, and the driver for them. */
async function servosAt(angles: readonly number[]) {
  const clock = new ManualClock();
  const bench = new TestBench();
  bench.joints.forEach((joint, index) => {
    joint.turnTo(angles[index] ?? 0);
  });
  const link = benchLink(clock, bench);
  bench.run(0.5);
  bench.joints.forEach((joint, index) => {
    joint.turnTo(angles[index] ?? 0);
  });
  const servos = new Servos(new ServoBus(await link.open(), clock));
  return { bench, link, servos, settled: <T>(promise: Promise<T>) => advanceUntilSettled(clock, promise) };
}

/** Angles at which hands can leave joints without torque: legs between their stops, the others anywhere, by turns too. */
const anyAngles = fc.tuple(
  ...JOINTS.map(({ name, range: [lower, upper] }) =>
    name.startsWith("stewart")
      ? fc.double({ min: lower, max: upper, noNaN: true })
      : fc.double({ min: -10, max: 10, noNaN: true }),
  ),
);

test("enabling torque moves no joint, however far it was turned by hand", async () => {
  await fc.assert(
    fc.asyncProperty(anyAngles, async (angles) => {
      const { bench, servos, settled } = await servosAt(angles);
      const pinned = await settled(servos.enableTorque(ALL_JOINTS));
      bench.run(0.5);
      await settled(servos.readPresentWithRetries(ALL_JOINTS));
      bench.joints.forEach((joint, index) => {
        expect(Math.abs(joint.position() - (angles[index] ?? 0))).toBeLessThan(2 * TICK);
        expect(Math.abs((servos.position[index] ?? 0) - (pinned[index] ?? 0))).toBeLessThan(2 * TICK);
      });
    }),
    { numRuns: 20, examples: [[[0, 0, 0, 0, 0, 0, 0, -Math.PI - 0.02, Math.PI + 0.02]]] },
  );
});

test("enabling torque in current control starts with the requested currents", async () => {
  const { bench, servos, settled } = await servosAt([]);
  for (const { id } of JOINTS) bench.write(id, "operatingMode", 0);
  await settled(servos.enableCurrentControl(ALL_JOINTS.map((index) => index / 100)));
  expect(JOINTS.map(({ id }) => [bench.read(id, "torqueEnable"), bench.read(id, "goalCurrent")])).toEqual(
    ALL_JOINTS.map((index) => [1, 10 * index]),
  );
});

test("a register of all servos is written by one packet and read by another; one that missed it gets its own", async () => {
  const { bench, link, servos, settled } = await servosAt([]);
  const packets: (number | undefined)[] = [];
  const drop = dropWrites(14, "goalCurrent");
  link.toServos = (bytes) => {
    packets.push(bytes[7]);
    return bytes[7] === Instruction.syncWrite ? drop(bytes) : bytes;
  };
  await settled(servos.writeEach(REGISTERS.goalCurrent, ALL_JOINTS, (index) => 10 * (index + 1)));
  expect(packets).toEqual([Instruction.syncWrite, Instruction.syncRead, Instruction.write]);
  expect(JOINTS.map(({ id }) => bench.read(id, "goalCurrent"))).toEqual(ALL_JOINTS.map((index) => 10 * (index + 1)));
});

test("a servo that refuses what all are sent is named", async () => {
  const { bench, servos, settled } = await servosAt([]);
  bench.write(14, "torqueEnable", 1);
  await expect(settled(servos.writeEach(REGISTERS.operatingMode, ALL_JOINTS, () => 0))).rejects.toMatchObject({
    code: "robot-fault",
    message: expect.stringContaining("14"),
  });
});
