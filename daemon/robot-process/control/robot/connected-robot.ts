import type { Clock } from "../../../../common/time/clock.ts";
import type { Pose } from "../../../../robot/description/frames.ts";
import { DEFAULT_POSE, type RobotPose } from "../../../../robot/description/poses.ts";
import { gravityTorques } from "../../../../robot/kinematics/gravity.ts";
import { groupJoints, postureOf } from "../../../../robot/kinematics/joint-groups.ts";
import type { Clip } from "../../../../robot/motion/limits/clip.ts";
import { initialState, type LimiterState, limitTarget } from "../../../../robot/motion/limits/limit-target.ts";
import type { Waypoint } from "../../../../robot/motion/trajectory/move.ts";
import type { RobotState } from "../../../../robot/wire/robot/robot-state.ts";
import type { DiscoveredRobot } from "../../hardware/bring-up.ts";
import { ServoHealthMonitor } from "../../hardware/health-monitor.ts";
import { ALL_JOINTS, type Servos } from "../../hardware/servos.ts";
import { HeldWeight } from "./held-weight.ts";
import { Motors } from "./motors.ts";

/** Radians between a goal and its aim below which the goal has arrived. */
const ARRIVED = 1e-3;
/** Radians by which fast targets may run ahead of the joints before it is reported. */
const REPORTED_LAG = 0.05;

/**
 * N m s/rad. Servos in current control do not brake: without damping, a head that a hand releases while it moves goes on
 * until the end of its workspace. At 0.04 the head oscillates, because the measured velocity is a period old.
 */
const COMPENSATION_DAMPING = 0.015;

/** Seconds from one sending of goals to the next at most: after a longer pause the joints may have moved. */
const LONGEST_STEP = 0.2;

/** The robot while it is connected: its servos and their torque. Every goal is limited before it is sent. */
export class ConnectedRobot {
  readonly servos: Servos;
  readonly motors: Motors;
  readonly health: ServoHealthMonitor;
  readonly #weight: HeldWeight;
  readonly #clock: Clock;
  #learnedAt: number;
  #limiter: LimiterState;
  #head = DEFAULT_POSE.head;

  constructor({ servos, jointsWithTorque, supply }: DiscoveredRobot, clock: Clock) {
    this.servos = servos;
    this.#weight = new HeldWeight(supply);
    this.#clock = clock;
    this.#learnedAt = clock.now();
    this.motors = new Motors(servos, clock, jointsWithTorque);
    this.health = new ServoHealthMonitor(servos, clock);
    this.#limiter = initialState([...servos.position]);
  }

  /** The posture that was sent last. */
  get lastPosture(): RobotPose {
    const { bodyYaw, antennas } = groupJoints(this.#limiter.joints);
    return { head: this.#limiter.head, bodyYaw, antennas };
  }

  /** Whether the goals that were sent last are the ones that were asked for. */
  get hasSettled(): boolean {
    const { joints, aims } = this.#limiter;
    return joints.every((angle, index) => Math.abs(angle - (aims[index] ?? 0)) < ARRIVED);
  }

  /** Whether the legs are where no reachable pose is: moved there by hand, or fallen. */
  get isOutsideWorkspace(): boolean {
    return !this.#limiter.insideWorkspace;
  }

  /** What is reported of the joints as last read. */
  measuredState(): Pick<RobotState, "motorMode" | "headJoints" | "antennas" | "headPose" | "sent"> {
    const { mode, sent } = this.motors;
    return {
      motorMode: mode,
      ...splitJoints(this.servos.position),
      headPose: this.#findHead(),
      sent: mode === "enabled" ? splitJoints(sent) : null,
    };
  }

  /** Enables torque without a jump; the robot then stays where it is. */
  async enableTorque(joints: readonly number[] = ALL_JOINTS): Promise<void> {
    await this.motors.enable(joints);
    this.#weight.reset();
    this.#limiter = initialState([...this.motors.sent]);
    // Without delay, so that nothing sags until the next goals are sent.
    await this.repeatGoals();
  }

  /**
   * Gives torque back to joints whose servos lost it. They stay where they have sunk to; the next goals lead them back.
   *
   * @returns the joints that have torque again
   * @throws WorkbenchError `robot-not-ready` when a servo stops answering, `robot-fault` when one refuses
   */
  async repairTorque(joints: readonly number[]): Promise<number[]> {
    try {
      return await this.motors.repair(joints, this.#compensationTorques());
    } finally {
      this.#weight.reset();
      this.#limiter = initialState([...this.motors.sent]);
    }
  }

  /** Lets the robot be moved by hand while the motors carry its weight. */
  async enableGravityCompensation(joints: readonly number[] = ALL_JOINTS): Promise<void> {
    await this.motors.enableGravityCompensation(this.#compensationTorques(), joints);
  }

  /** Adapts the torques that carry the weight to the present posture. */
  async compensateGravity(): Promise<void> {
    await this.motors.compensateGravity(this.#compensationTorques());
  }

  /** Sends the last goals once more. */
  async repeatGoals(): Promise<void> {
    this.#learn();
    await this.motors.sendGoals([...this.motors.sent], this.#weight.leadsFor(this.#limiter));
  }

  /**
   * Sends the goals that lead to a waypoint, `seconds` after the last ones.
   *
   * @returns why the robot cannot go there as asked; a target that it never reaches before one that it reaches late
   */
  async drive(waypoint: Waypoint, automaticBodyYaw: boolean, seconds: number): Promise<Clip | undefined> {
    const { state, clipped } = limitTarget({ ...waypoint, automaticBodyYaw }, this.#limiter, seconds);
    this.#limiter = state;
    this.#learn();
    await this.motors.sendGoals(state.joints, this.#weight.leadsFor(state));
    const late = clipped.find((clip) => clip.reason === "rate" && clip.behind > REPORTED_LAG);
    return clipped.find(({ reason }) => reason !== "rate") ?? late;
  }

  /** Moves the legs back into the workspace; the rest stays. */
  async returnToWorkspace(seconds: number): Promise<void> {
    await this.drive(this.lastPosture, false, seconds);
  }

  /** Learns the leads of a robot that stands; once per sending of goals. */
  #learn(): void {
    const now = this.#clock.now();
    const seconds = Math.min(LONGEST_STEP, (now - this.#learnedAt) / 1000);
    this.#learnedAt = now;
    const { position, velocity, current, missedReads } = this.servos;
    const isHeld = (joint: number) => this.motors.torque[joint] === true && missedReads[joint] === 0;
    this.#weight.learn(seconds, this.#limiter, { position, velocity, current, isHeld });
  }

  /** The head pose of the joints as last read. */
  #findHead(): Pose {
    this.#head = postureOf(this.servos.position, this.#head).head;
    return this.#head;
  }

  /** Torques that hold the measured joints against gravity and slow them down, N m. */
  #compensationTorques(): readonly number[] {
    const { position, velocity } = this.servos;
    const weight = gravityTorques(position, this.#findHead());
    return weight.map((torque, joint) => torque - COMPENSATION_DAMPING * (velocity[joint] ?? 0));
  }
}

function splitJoints(joints: ArrayLike<number>): { headJoints: number[]; antennas: [number, number] } {
  const all = Array.from(joints);
  return { headJoints: all.slice(0, 7), antennas: [all[7] ?? 0, all[8] ?? 0] };
}
