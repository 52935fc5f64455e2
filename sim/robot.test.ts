import { expect, test } from "vitest";
import { JOINTS } from "../robot/description/joints.ts";
import { ping, read, syncWrite, write } from "../robot/servo/protocol/instructions.ts";
import { StreamParser } from "../robot/servo/protocol/stream-parser.ts";
import { REGISTERS } from "../robot/servo/registers/control-table.ts";
import type { Fault } from "./faults/fault.ts";
import { parseFault } from "./faults/parse-fault.ts";
import { SimulatedRobot } from "./robot.ts";

interface Reply {
  id: number;
  error: number;
  params: number[];
}

async function createRobot(seed = 1, ...faults: Fault[]): Promise<{ robot: SimulatedRobot; replies: Reply[] }> {
  const replies: Reply[] = [];
  const parser = new StreamParser();
  const robot = await SimulatedRobot.create({ seed, faults }, (bytes) => {
    for (const packet of parser.push(bytes)) {
      if (packet.kind === "status") replies.push({ id: packet.id, error: packet.error, params: [...packet.params] });
    }
  });
  return { robot, replies };
}

const ids = JOINTS.map(({ id }) => id);
const { torqueEnable, goalPosition, presentPosition, returnDelayTime } = REGISTERS;
const word32 = (value: number) => [...new Uint8Array(Int32Array.of(value).buffer)];

/** Switches torque on and moves the antennas to the middle. */
function raiseAntennas(robot: SimulatedRobot): void {
  robot.receive(
    syncWrite(
      torqueEnable.address,
      1,
      ids.map((id) => ({ id, data: Uint8Array.of(1) })),
    ),
  );
  const goals = ids.map((id) => ({ id, data: Uint8Array.from(word32(2048)) }));
  robot.receive(syncWrite(goalPosition.address, 4, goals.slice(7)));
}

test("a new robot boots its servos, replies and stays in the sleep pose", async () => {
  const { robot, replies } = await createRobot();
  robot.advanceTo(1);
  for (const id of ids) robot.receive(ping(id));
  expect(replies.map(({ id, error }) => [id, error])).toEqual(ids.map((id) => [id, 0]));
  expect(robot.time).toBeCloseTo(1, 9);
  expect(robot.physics.headPose()[11]).toBeCloseTo(-0.044, 2);
});

test("bytes move the antennas and read their positions", async () => {
  const { robot, replies } = await createRobot();
  robot.advanceTo(0.5);
  raiseAntennas(robot);
  robot.advanceTo(2);
  robot.receive(read(17, presentPosition.address, 4));
  const at = new DataView(Uint8Array.from(replies.at(-1)?.params ?? []).buffer).getInt32(0, true);
  expect(Math.abs(at - 2048)).toBeLessThan(15);
  expect(robot.physics.actuators[7]?.position()).toBeCloseTo(0, 1);
});

test("a servo's return delay delays its reply in simulated time", async () => {
  const { robot, replies } = await createRobot();
  robot.advanceTo(0.5);
  robot.receive(write(11, returnDelayTime.address, Uint8Array.of(254)));
  replies.length = 0;
  robot.receive(ping(11));
  expect(replies).toEqual([]);
  robot.advanceTo(0.502);
  expect(replies).toHaveLength(1);
});

test("the seed determines which packets a fault affects", async () => {
  const heard = async (seed: number) => {
    const { robot, replies } = await createRobot(seed, parseFault("drop:rate=0.3"));
    robot.advanceTo(1);
    for (let round = 0; round < 10; round += 1) for (const id of ids) robot.receive(ping(id));
    return replies.map(({ id }) => id);
  };
  const first = await heard(1);
  expect(await heard(1)).toEqual(first);
  expect(await heard(2)).not.toEqual(first);
});

test("equal seeds, bytes and times give identical runs, also from a snapshot", async () => {
  const run = async () => {
    const { robot, replies } = await createRobot(5);
    robot.advanceTo(0.5);
    raiseAntennas(robot);
    robot.advanceTo(0.601);
    return { robot, replies };
  };
  const continueRun = (robot: SimulatedRobot) => {
    robot.advanceTo(robot.time + 0.7);
    return [robot.physics.posture(), robot.servos.save().servos];
  };
  const [first, second] = [await run(), await run()];
  const snapshot = structuredClone(first.robot.snapshot());
  const expected = continueRun(first.robot);
  expect(continueRun(second.robot)).toEqual(expected);

  const { robot } = await createRobot(9);
  robot.advanceTo(0.1);
  robot.restore(snapshot);
  expect(continueRun(robot)).toEqual(expected);
});

test("a reset returns it to the sleep pose and removes objects", async () => {
  const { robot } = await createRobot();
  robot.advanceTo(0.5);
  raiseAntennas(robot);
  robot.physics.addObject({ name: "ball", shape: { kind: "ball", radius: 0.02 }, mass: 0.05, position: [0.2, 0, 0.1] });
  robot.advanceTo(1.5);
  robot.reset();
  robot.advanceTo(2.5);
  expect(robot.physics.objects()).toEqual([]);
  expect(robot.physics.actuators[7]?.position()).toBeCloseTo(-3.05, 1);
});
