import { createHash } from "node:crypto";
import { seededRandom } from "../../../common/seeded-random.ts";
import { JOINTS } from "../../../robot/description/joints.ts";
import { reboot, syncRead, syncWrite } from "../../../robot/servo/protocol/instructions.ts";
import {
  encodeValue,
  PRESENT_STATE,
  REGISTERS,
  type RegisterName,
} from "../../../robot/servo/registers/control-table.ts";
import { radiansToTicks } from "../../../robot/servo/registers/units.ts";
import { parseFault } from "../../faults/parse-fault.ts";
import { sceneOf } from "../../physics/scene.ts";
import { SimulatedRobot } from "../../robot.ts";
import { TimeControl } from "../time-control.ts";

const TICK = 0.01;
const IDS = JOINTS.map(({ id }) => id);
const FAULTS = [
  "stuck:servo=stewart_3,for=0.3",
  "brownout:for=0.2",
  "overload:servo=right_antenna,for=0.4",
  "drop:for=1",
];

/**
 * Runs a robot with random goals, torque, reboots, faults, pushes and objects; then takes it back to random moments, with
 * half a second of the same inputs after each.
 *
 * @param seconds simulated, of the run; at most 30, so that every moment stays kept
 * @returns rewinds after which the robot differed from the run before at any control period
 */
export async function rewindAtRandom(seed: number, seconds: number, rewinds: number): Promise<number> {
  const robot = await SimulatedRobot.create({ seed, inertialSensor: true }, () => undefined);
  const control = new TimeControl(robot, undefined);
  const random = seededRandom(seed + 1);
  const ticks = Math.round(seconds / TICK);
  const inputs = Array.from({ length: ticks }, (_, tick) => inputsAt(tick, random));
  robot.advanceTo(1);
  control.keep(true);
  const begin = robot.time;
  const tickNow = () => Math.round((robot.time - begin) / TICK);
  const digests: string[] = [digestOf(robot)];
  const runTick = () => {
    for (const act of inputs[tickNow()] ?? []) act(robot);
    robot.advanceTo(begin + (tickNow() + 1) * TICK);
    control.catchUp();
  };
  while (tickNow() < ticks) {
    runTick();
    digests.push(digestOf(robot));
  }
  let wrong = 0;
  for (let count = 0; count < rewinds; count += 1) {
    const { earliest, latest } = control.state.kept ?? { earliest: 0, latest: 0 };
    const to = earliest + random() * (latest - earliest);
    control.rewind(to);
    let isEqual = digestOf(robot) === digests[tickNow()];
    // Every tenth time the robot goes on to the end, which drops the moments after the one it was taken to.
    const until = Math.min(ticks, count % 10 === 0 ? ticks : tickNow() + 0.5 / TICK);
    if (count % 10 === 0) control.resume();
    while (tickNow() < until) {
      runTick();
      isEqual &&= digestOf(robot) === digests[tickNow()];
    }
    if (!isEqual) wrong += 1;
  }
  robot.free();
  return wrong;
}

/** Of mechanism, servos, objects and sensor, and of the time. */
function digestOf(robot: SimulatedRobot): string {
  const { physics, servos, time, inertialSensor } = robot;
  const { engine: _, ...mechanism } = physics.snapshot();
  const { poses } = sceneOf(physics, time);
  const state = [time, mechanism, poses, servos.save(), inertialSensor?.save(), servos.supplyVoltage];
  return createHash("sha256").update(JSON.stringify(state, exactly)).digest("hex");
}

/** Numbers in JSON are exact, except these. */
const exactly = (_: string, value: unknown) =>
  typeof value === "number" && (!Number.isFinite(value) || Object.is(value, -0))
    ? `${Object.is(value, -0) ? "-" : ""}${value}`
    : value;

type Input = (robot: SimulatedRobot) => void;

/** What a driver and a hand do in one control period. */
function inputsAt(tick: number, random: () => number): Input[] {
  const pick = (count: number) => Math.floor(count * random());
  const send = (bytes: Uint8Array) => (robot: SimulatedRobot) => robot.receive(bytes);
  const write = (name: RegisterName, value: () => number) => {
    const { address, size } = REGISTERS[name];
    return send(
      syncWrite(
        address,
        size,
        IDS.map((id) => ({ id, data: encodeValue(REGISTERS[name], value()) })),
      ),
    );
  };
  const goals = write("goalPosition", () => radiansToTicks(0.5 * random() - 0.25));
  const inputs: Input[] = [send(syncRead(PRESENT_STATE.address, PRESENT_STATE.length, IDS))];
  if (tick % 60 === 0) inputs.push(write("torqueEnable", () => 1));
  if (pick(4) === 0) inputs.push(goals);
  if (pick(50) === 0) inputs.push(write("torqueEnable", () => pick(4) && 1));
  if (pick(200) === 0) inputs.push(send(reboot(IDS[pick(9)] ?? 0)));
  if (pick(100) === 0) {
    const fault = parseFault(FAULTS[pick(FAULTS.length)] ?? "");
    inputs.push((robot) => robot.addFault(fault));
  }
  if (pick(40) === 0) {
    const force = [8 * random() - 4, 8 * random() - 4, 8 * random() - 4] as const;
    inputs.push(({ physics }) => physics.push("hand", { body: "head", force }, 0.2));
  }
  if (tick % 50 === 0 && tick < 300) {
    const name = `object ${tick}`;
    const position = [0.2 + 0.3 * random(), 0.4 * random() - 0.2, 0.1 + 0.2 * random()] as const;
    const shape = pick(2)
      ? ({ kind: "ball", radius: 0.03 } as const)
      : ({ kind: "box", size: [0.05, 0.04, 0.03] } as const);
    inputs.push(({ physics }) => physics.addObject({ name, shape, mass: 0.05, position }));
    inputs.push(({ physics }) => tick > 100 && physics.removeObject(`object ${tick - 100}`));
  }
  return inputs;
}
