// Runs the test motions on our simulated robot, and writes down what the reference engine needs to run the same.
import { DEGREE } from "../../common/degree.ts";
import { built } from "../../scripts/setup/built.mjs";
import type { PhysicsWorld } from "../../sim/physics/world.ts";

const TICK = 0.01;

/**
 * A test motion: targets of the head (metres, degrees; turns with the body), the body (degrees) and the antennas at a time in
 * seconds; from when the motors are off; a push in newtons on the head's centre; how long it is compared.
 */
interface Motion {
  name: string;
  seconds: number;
  pose?: (t: number) => number[];
  body?: (t: number) => number;
  antennas?: (t: number) => number;
  off?: number;
  push?: { from: number; until: number; force: number[] };
}

export const MOTIONS: Motion[] = [
  {
    name: "steps",
    seconds: 4,
    pose: (t) =>
      [
        [0, 0, 20, 0],
        [15, 0, 0, 0],
        [0, 0, 0, -0.01],
        [0, 0, 0, 0],
      ][Math.min(3, Math.floor(t))] ?? [0, 0, 0, 0],
    antennas: (t) => (Math.floor(t) % 2 === 0 ? 0.8 : -0.3),
  },
  {
    name: "sweep",
    seconds: 4,
    pose: (t) => [15 * Math.sin(Math.PI * t), 0, 20 * Math.sin((Math.PI / 2) * t), 0.005 * Math.sin(Math.PI * t)],
    antennas: (t) => Math.sin(Math.PI * t),
  },
  { name: "nods at 2 Hz", seconds: 2, pose: (t) => [10 * Math.sin(4 * Math.PI * t), 0, 0, 0] },
  { name: "turns of the body", seconds: 3, body: (t) => (t < 1.5 ? 40 : -20) },
  { name: "motors off", seconds: 0.25, off: 0 },
  { name: "push of 2 N", seconds: 2, push: { from: 0.5, until: 0.9, force: [0, 2, 0] } },
  { name: "overload of 8 N", seconds: 2, push: { from: 0.5, until: 1, force: [0, 0, -8] } },
];

/** Samples of a run, 100 a second: nine joint angles, and the head's position and quaternion. */
export type Samples = { joints: number[]; head: number[] }[];

/** The goals of a motion in ticks, 100 times a second. */
export async function goalsOf(motion: Motion): Promise<number[][]> {
  const { legAngles } = await built("robot/kinematics/inverse.js");
  const { poseFromRpy } = await built("robot/kinematics/pose.js");
  const { radiansToTicks } = await built("robot/servo/registers/units.js");
  return Array.from({ length: Math.round(motion.seconds / TICK) }, (_, tick) => {
    const [pitch = 0, roll = 0, yaw = 0, z = 0] = motion.pose?.(tick * TICK) ?? [];
    const head = poseFromRpy([0, 0, z], { roll: roll * DEGREE, pitch: pitch * DEGREE, yaw: yaw * DEGREE });
    const body = (motion.body?.(tick * TICK) ?? 0) * DEGREE;
    const antenna = motion.antennas?.(tick * TICK) ?? 0;
    return [body, ...legAngles(head, 0), antenna, -antenna].map((angle) => radiansToTicks(angle));
  });
}

/** Runs a motion from the default pose. */
export async function runOurs(motion: Motion, goals: number[][]): Promise<Samples> {
  const { SimulatedRobot } = await built("sim/robot.js");
  const { syncWrite } = await built("robot/servo/protocol/instructions.js");
  const { JOINTS } = await built("robot/description/joints.js");
  const { encodeValue, REGISTERS } = await built("robot/servo/registers/control-table.js");
  const posture = await initialPosture();
  const robot = await SimulatedRobot.create({ seed: 1, posture }, () => undefined);
  const write = (register: { address: number; size: number }, value: (joint: number) => number) => {
    const entries = JOINTS.map(({ id }: { id: number }, joint: number) => ({
      id,
      data: encodeValue(register, value(joint)),
    }));
    robot.receive(syncWrite(register.address, register.size, entries));
  };
  robot.advanceTo(0.5); // until the servos have booted
  robot.physics.setPosture(posture);
  const began = robot.time;
  const samples: Samples = [];
  goals.forEach((goal, tick) => {
    if (tick === 0 && motion.off !== 0) write(REGISTERS.torqueEnable, () => 1);
    if (motion.off === undefined) write(REGISTERS.goalPosition, (joint) => goal[joint] ?? 0);
    const { push } = motion;
    if (push !== undefined && Math.abs(push.from - tick * TICK) < TICK / 2)
      robot.physics.push("hand", { body: "head", force: push.force }, push.until - push.from);
    robot.advanceTo(began + (tick + 1) * TICK);
    samples.push(sampleOf(robot.physics));
  });
  robot.free();
  return samples;
}

/** The step response of the ideal drives that were used before: 10 N m/rad and 0.25 N m s/rad. */
export async function runIdealDrives(goals: number[][]): Promise<Samples> {
  const { createPhysics } = await built("sim/physics/create-physics.js");
  const { driveTo } = await import("../../sim/physics/testing/measure.ts");
  const { TIMESTEP } = await built("sim/physics/world.js");
  const { ticksToRadians } = await built("robot/servo/registers/units.js");
  const world = await createPhysics({ posture: await initialPosture(), seed: 1 });
  const samples = goals.map((goal) => {
    driveTo(world, goal.map(ticksToRadians));
    for (let step = 0; step < Math.round(TICK / TIMESTEP); step += 1) world.step();
    return sampleOf(world);
  });
  world.free();
  return samples;
}

function sampleOf(physics: PhysicsWorld): Samples[number] {
  const head = physics.body("head");
  if (head === undefined) throw new Error("The robot has no head.");
  const { x, y, z } = head.translation();
  const q = head.rotation();
  return { joints: [...physics.posture().joints], head: [x, y, z, q.x, q.y, q.z, q.w] };
}

async function initialPosture() {
  const { postureOf } = await built("sim/physics/model/posture.js");
  const { IDENTITY } = await built("robot/kinematics/pose.js");
  return postureOf({ head: IDENTITY, antennas: [0, 0], bodyYaw: 0 });
}

/** Geometry, masses, motors and gains of our robot, as data. */
export async function describeRobot() {
  const { BODIES } = await built("robot/description/bodies.js");
  const { JOINTS } = await built("robot/description/joints.js");
  const { HINGES, LEG_LINKAGES } = await built("sim/physics/model/linkage.js");
  const { placementsOf } = await built("sim/physics/model/posture.js");
  const { motorOf } = await built("sim/physics/model/gears.js");
  const { MOTORS } = await built("sim/servos/motor/motor-parameters.js");
  return {
    bodies: BODIES,
    hinges: HINGES,
    legs: LEG_LINKAGES,
    placements: placementsOf(await initialPosture()),
    angles: (await initialPosture()).joints,
    motors: HINGES.map(({ name }: { name: string }) => motorOf(name, MOTORS)),
    gains: JOINTS.map(({ gains }: { gains: { p: number } }) => gains.p),
  };
}
