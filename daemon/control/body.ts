import { INIT, type Posture } from "../../robot/description/poses.ts";
import { gravityTorques } from "../../robot/kinematics/gravity.ts";
import { describeClip } from "../../robot/motion/clip.ts";
import { type GateState, limitTarget, standing } from "../../robot/motion/gate.ts";
import type { Waypoint } from "../../robot/motion/move.ts";
import type { Clock } from "../clock.ts";
import type { RobotFound } from "../hardware/bring-up.ts";
import { ALL_JOINTS, type ServoChain } from "../hardware/servo-chain.ts";
import { Watch } from "../hardware/watch.ts";
import { Motors } from "./motors.ts";
import { partsOf, postureOf } from "./posture.ts";

/** Radians behind their aims at which the goals have arrived. */
const ARRIVED = 1e-3;
/** Radians that fast targets may run ahead of the joints before it is worth telling. */
const WORTH_TELLING = 0.05;

/** The robot while it is connected: its servos, their torque, and the gate that every goal passes. */
export class Body {
  readonly servos: ServoChain;
  readonly motors: Motors;
  readonly watch: Watch;
  #gate: GateState;
  #measured: Posture = INIT;

  constructor({ servos, torqueOn }: RobotFound, clock: Clock) {
    this.servos = servos;
    this.motors = new Motors(servos, clock, torqueOn);
    this.watch = new Watch(servos, clock);
    this.#gate = standing([...servos.position]);
  }

  /** Where the robot was last sent. */
  get posture(): Posture {
    const { bodyYaw, antennas } = partsOf(this.#gate.joints);
    return { head: this.#gate.head, bodyYaw, antennas };
  }

  /** Whether what was last sent is what was asked for. */
  get settled(): boolean {
    const { joints, aims } = this.#gate;
    return joints.every((angle, index) => Math.abs(angle - (aims[index] ?? 0)) < ARRIVED);
  }

  /** Whether the legs stand where no reachable pose is: moved by hand, or fallen there. */
  get recovering(): boolean {
    return !this.#gate.secure;
  }

  /** Where the robot is, from the joints as last read. */
  measure(): Posture {
    this.#measured = postureOf(this.servos.position, this.#measured.head);
    return this.#measured;
  }

  /** Torque on, without a jump; from here on the robot stays as it is. */
  async hold(joints: readonly number[] = ALL_JOINTS): Promise<void> {
    await this.motors.hold(joints);
    this.#gate = standing([...this.motors.sent]);
  }

  /** Lets the robot be moved by hand while the motors carry its weight. */
  async float(): Promise<void> {
    await this.motors.float(this.#weight());
  }

  /** Keeps carrying the weight, for where the robot is by now. */
  async support(): Promise<void> {
    await this.motors.support(this.#weight());
  }

  /** Sends the same goals again. */
  async stay(): Promise<void> {
    await this.motors.drive([...this.motors.sent]);
  }

  /**
   * Sends the goals that lead to a waypoint, `seconds` after the last ones. Returns a sentence when the robot cannot go
   * there as asked.
   */
  async drive(waypoint: Waypoint, automaticBodyYaw: boolean, seconds: number): Promise<string | undefined> {
    const { state, clipped } = limitTarget({ ...waypoint, automaticBodyYaw }, this.#gate, seconds);
    this.#gate = state;
    await this.motors.drive(state.joints);
    const clip = clipped.find((found) => found.reason !== "rate" || found.behind > WORTH_TELLING);
    return clip && describeClip(clip);
  }

  /** Leads the legs back into the workspace; the rest stays. */
  async recover(seconds: number): Promise<void> {
    await this.drive(this.posture, false, seconds);
  }

  /** Torques that hold the measured joints against gravity, N m. */
  #weight(): readonly number[] {
    const { stewart, antennas, bodyYaw } = partsOf(this.servos.position);
    return gravityTorques(stewart, antennas, this.measure().head, bodyYaw);
  }
}
