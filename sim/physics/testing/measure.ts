import RAPIER from "@dimforge/rapier3d-simd-compat";
import { DEGREE } from "../../../common/degree.ts";
import { seededRandom } from "../../../common/seeded-random.ts";
import type { Pose } from "../../../robot/description/frames.ts";
import { JOINTS } from "../../../robot/description/joints.ts";
import { DEFAULT_POSE } from "../../../robot/description/poses.ts";
import { inverseKinematics, legAngles } from "../../../robot/kinematics/inverse.ts";
import { IDENTITY, poseDistance, poseFromRpy } from "../../../robot/kinematics/pose.ts";
import { postureOf } from "../model/posture.ts";
import { createPhysics, type PhysicsWorld, TIMESTEP } from "../world.ts";

/** An ideal drive, so that the mechanism is measured without the errors of servos. */
const DRIVE = { stiffness: 10, damping: 0.34, maxTorque: 0.6 };
const YAW_TORQUE = 1.1;
const STEPS_PER_CONTROL = Math.round(0.01 / TIMESTEP);

interface SweepFigures {
  /** Simulated seconds per second of computing time. */
  readonly timesRealTime: number;
  /** The same of the engine's own steps alone. */
  readonly engineTimesRealTime: number;
  /** Widest gap in a ball joint during the sweep, mm. */
  readonly closureMaxMm: number;
  /** Distance of the head from its target after it was held for 3 s, mm. */
  readonly steadyErrorMm: number;
}

/**
 * Moves the head through its range at 0.2 Hz, 5 s each: yaw by 30 degrees, pitch by 20 degrees, height by 15 mm, then all
 * of them while the body turns; then holds it still for 3 s.
 * @param now a monotonic clock in milliseconds
 */
export async function measureSweep(now: () => number): Promise<SweepFigures> {
  const world = await createPhysics({ posture: postureOf(DEFAULT_POSE), seed: 1 });
  const engine = timeEngine(now);
  let elapsed = 0;
  let closure = 0;
  const steps = Math.round(23 / TIMESTEP);
  for (let step = 0; step < steps; step += STEPS_PER_CONTROL) {
    const { head, bodyYaw } = sweepAt(step * TIMESTEP);
    const sway = 0.5 * Math.sin(Math.PI * step * TIMESTEP);
    driveTo(world, [bodyYaw, ...legAngles(head, bodyYaw), -sway, sway]);
    const began = now();
    for (let k = 0; k < STEPS_PER_CONTROL; k += 1) world.step();
    elapsed += now() - began;
    closure = Math.max(closure, world.closureError());
  }
  const steadyErrorMm = poseDistance(world.headPose(), IDENTITY).metres * 1000;
  world.free();
  const speedIn = (milliseconds: number): number => (steps * TIMESTEP * 1000) / milliseconds;
  return {
    timesRealTime: speedIn(elapsed),
    engineTimesRealTime: speedIn(engine.stop()),
    closureMaxMm: closure * 1000,
    steadyErrorMm,
  };
}

/** Adds up the milliseconds of the engine's steps until `stop`, which returns them. */
function timeEngine(now: () => number): { stop(): number } {
  const { step } = RAPIER.World.prototype;
  let milliseconds = 0;
  RAPIER.World.prototype.step = function (...args) {
    const began = now();
    step.apply(this, args);
    milliseconds += now() - began;
  };
  return {
    stop: () => {
      RAPIER.World.prototype.step = step;
      return milliseconds;
    },
  };
}

interface StepFigures {
  readonly targets: number;
  /** Targets for which a joint was more than one degree away when the next target came. */
  readonly missed: number;
  /** How often the platform flipped and was recovered. */
  readonly recoveries: number;
}

/**
 * Seconds for a step of a joint: 16 time constants of the drive, as long as the body needs for 120 degrees and the head then
 * swings. The drive is the slower the more inertia the rotors have, as its damping has to follow them.
 */
const STEP_SECONDS = (16 * DRIVE.damping) / DRIVE.stiffness;

/** Sends random reachable poses as steps, one every `STEP_SECONDS`, and counts those that the robot does not reach. */
export async function measureRandomSteps(targets: number, seed: number): Promise<StepFigures> {
  const world = await createPhysics({ posture: postureOf(DEFAULT_POSE), seed });
  const random = seededRandom(seed);
  let missed = 0;
  for (let target = 0; target < targets; target += 1) {
    const joints = randomJoints(random);
    driveTo(world, joints);
    for (let step = 0; step < STEP_SECONDS / TIMESTEP; step += 1) world.step();
    const reached = world.actuators.every((motor, k) => Math.abs(motor.position() - (joints[k] ?? 0)) < 1 * DEGREE);
    if (!reached) missed += 1;
  }
  const { recoveries } = world;
  world.free();
  return { targets, missed, recoveries };
}

/** Drives all nine motors to these angles (radians) as servos at their default gains do. */
export function driveTo(world: PhysicsWorld, joints: readonly number[]): void {
  world.actuators.forEach((motor, index) => {
    const maxTorque = JOINTS[index]?.name === "body_yaw" ? YAW_TORQUE : DRIVE.maxTorque;
    motor.drive({ kind: "position", target: joints[index] ?? 0, ...DRIVE, maxTorque });
  });
}

function sweepAt(seconds: number): { head: Pose; bodyYaw: number } {
  const phase = Math.floor(seconds / 5);
  const s = Math.sin(2 * Math.PI * 0.2 * seconds);
  const fast = Math.sin(2 * Math.PI * 0.4 * seconds);
  const level = { roll: 0, pitch: 0, yaw: 0 };
  if (phase === 0) return { head: poseFromRpy([0, 0, 0], { ...level, yaw: 30 * DEGREE * s }), bodyYaw: 0 };
  if (phase === 1) return { head: poseFromRpy([0, 0, 0], { ...level, pitch: 20 * DEGREE * s }), bodyYaw: 0 };
  if (phase === 2) return { head: poseFromRpy([0, 0, 0.015 * s], level), bodyYaw: 0 };
  if (phase > 3) return { head: IDENTITY, bodyYaw: 0 };
  const turn = { roll: 0, pitch: 12 * DEGREE * fast, yaw: 30 * DEGREE * s };
  return { head: poseFromRpy([0, 0, 0.01 * fast], turn), bodyYaw: 25 * DEGREE * s };
}

function randomJoints(random: () => number): number[] {
  const within = (limit: number) => limit * (2 * random() - 1);
  for (;;) {
    const bodyYaw = within(60 * DEGREE);
    const turn = { roll: within(20 * DEGREE), pitch: within(20 * DEGREE), yaw: bodyYaw + within(30 * DEGREE) };
    const head = poseFromRpy([within(0.015), within(0.015), within(0.015)], turn);
    const solution = inverseKinematics(head, bodyYaw);
    if (solution.status === "reachable") return [bodyYaw, ...solution.stewart, within(1.5), within(1.5)];
  }
}
