// Runs the test motions on our simulated robot, and writes down what the reference engine needs to run the same.
import { DEGREE } from "../../common/degree.ts";
import { BODIES } from "../../robot/description/bodies.ts";
import type { Vec3 } from "../../robot/description/frames.ts";
import { JOINTS } from "../../robot/description/joints.ts";
import { legAngles } from "../../robot/kinematics/inverse.ts";
import { IDENTITY, poseFromRpy } from "../../robot/kinematics/pose.ts";
import { syncWrite } from "../../robot/servo/protocol/instructions.ts";
import { encodeValue, REGISTERS, type RegisterName } from "../../robot/servo/registers/control-table.ts";
import { radiansToTicks, ticksToRadians } from "../../robot/servo/registers/units.ts";
import { HINGES, LEG_LINKAGES } from "../../sim/physics/model/linkage.ts";
import { placementsOf, postureOf } from "../../sim/physics/model/posture.ts";
import { driveTo } from "../../sim/physics/testing/measure.ts";
import { createPhysics, type PhysicsWorld, TIMESTEP } from "../../sim/physics/world.ts";
import { SimulatedRobot } from "../../sim/robot.ts";
import { MOTORS, motorOf } from "../../sim/servos/motor/motor-parameters.ts";

const TICK = 0.01;
const POSTURE = postureOf({ head: IDENTITY, antennas: [0, 0], bodyYaw: 0 });

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
  push?: { from: number; until: number; force: Vec3 };
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
export function goalsOf(motion: Motion): number[][] {
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
  const robot = await SimulatedRobot.create({ seed: 1, posture: POSTURE }, () => undefined);
  const write = (name: RegisterName, value: (joint: number) => number) => {
    const register = REGISTERS[name];
    const entries = JOINTS.map(({ id }, joint) => ({ id, data: encodeValue(register, value(joint)) }));
    robot.receive(syncWrite(register.address, register.size, entries));
  };
  robot.advanceTo(0.5); // until the servos have booted
  robot.physics.setPosture(POSTURE);
  const began = robot.time;
  const samples: Samples = [];
  goals.forEach((goal, tick) => {
    if (tick === 0 && motion.off !== 0) write("torqueEnable", () => 1);
    if (motion.off === undefined) write("goalPosition", (joint) => goal[joint] ?? 0);
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
  const world = await createPhysics({ posture: POSTURE, seed: 1 });
  const samples = goals.map((goal) => {
    driveTo(world, goal.map(ticksToRadians));
    for (let step = 0; step < Math.round(TICK / TIMESTEP); step += 1) world.step();
    return sampleOf(world);
  });
  world.free();
  return samples;
}

function sampleOf(physics: PhysicsWorld): Samples[number] {
  const head = physics.part("head");
  const { x, y, z } = head.translation();
  const q = head.rotation();
  return { joints: [...physics.posture().joints], head: [x, y, z, q.x, q.y, q.z, q.w] };
}

/** Geometry, masses, motors and gains of our robot, as data. */
export const describeRobot = (): object => ({
  bodies: BODIES,
  hinges: HINGES,
  legs: LEG_LINKAGES,
  placements: placementsOf(POSTURE),
  angles: POSTURE.joints,
  motors: HINGES.map(({ name }) => motorOf(name, MOTORS)),
  gains: JOINTS.map(({ gains }) => gains.p),
});
