import RAPIER from "@dimforge/rapier3d-simd-compat";
import type { Actuator, DriveCommand } from "../../servos/motor/actuator.ts";
import type { GearMotor } from "../../servos/motor/gear-motor.ts";
import { dot, hingeAngle, noRotation, rotated, toVector, wrapAngle, zeroVector } from "../engine-vectors.ts";
import type { Hinge } from "../model/linkage.ts";
import type { Parts } from "../model/parts.ts";

/** N m s/rad: a motor's engine constraint needs some damping, so that its target velocity is finite. */
const LEAST_DAMPING = 1e-6;
/** N m: no limit, as the torque of a servo's motor is computed. */
const NO_LIMIT = 1e3;
/**
 * Radians. The engine measures a hinge between -pi and pi and drives it the short way round. When the target is farther
 * away than this, the motor gets an intermediate target in the right direction; its torque is at the limit there anyway.
 */
const MAX_TARGET_DISTANCE = 1;

/** State of a motor that a snapshot holds in addition to the engine's own state. */
export interface MotorState {
  readonly command: DriveCommand;
  readonly angle: number;
  readonly usesIntermediateTarget: boolean;
  readonly gear: ReturnType<GearMotor["save"]>;
}

/** A geared motor on a hinge. Its angle is not limited to one turn. */
export class JointMotor implements Actuator {
  readonly #hinge: Hinge;
  readonly #onCommand: () => void;
  readonly #axis: RAPIER.Vector;
  #parent: RAPIER.RigidBody;
  #child: RAPIER.RigidBody;
  #joint: RAPIER.UnitImpulseJoint;
  readonly #gear: GearMotor;
  #command: DriveCommand = { kind: "off" };
  #angle = 0;
  #velocity = 0;
  /** Whether the world has stepped since they were read; each reading is several calls of the engine. */
  #isAngleStale = false;
  #isVelocityStale = true;
  /** N m that the engine has as the motor's limit; undefined when that is unknown. */
  #maxForce: number | undefined;
  /** Whether the engine has an intermediate target. */
  #usesIntermediateTarget = false;
  readonly #parentRotation = noRotation();
  readonly #childRotation = noRotation();
  readonly #worldAxis = zeroVector();
  readonly #scratch = zeroVector();

  /**
   * @param gear the motor and its gear, which follow a servo's commands
   * @param onCommand called when the motor gets another command
   */
  constructor(hinge: Hinge, parts: Parts, joint: RAPIER.UnitImpulseJoint, gear: GearMotor, onCommand: () => void) {
    this.#hinge = hinge;
    this.#onCommand = onCommand;
    this.#axis = toVector(hinge.axis);
    this.#parent = parts[hinge.parent];
    this.#child = parts[hinge.child];
    this.#joint = joint;
    this.#gear = gear;
    joint.configureMotorModel(RAPIER.MotorModel.ForceBased);
    this.#apply();
  }

  position(): number {
    if (this.#isAngleStale) this.#measureAngle();
    return this.#angle;
  }

  velocity(): number {
    if (this.#isVelocityStale) this.#measureVelocity();
    return this.#velocity;
  }

  torque(): number {
    const command = this.#command;
    if (command.kind !== "position") return this.#gear.torque - this.#gear.damping * this.velocity();
    const torque = command.stiffness * (command.target - this.position()) - command.damping * this.velocity();
    return Math.max(-command.maxTorque, Math.min(command.maxTorque, torque));
  }

  drive(command: DriveCommand): void {
    this.#command = command;
    this.#onCommand();
    this.#apply();
  }

  /** Call before each step of the world of `dt` seconds: updates what depends on the current angle and velocity. */
  beforeStep(dt: number): void {
    if (this.#gear.follow(dt, this.#command, this)) {
      const damping = this.#gear.damping + LEAST_DAMPING;
      this.#joint.configureMotorVelocity(this.#gear.torque / damping, damping);
    } else if (this.#usesIntermediateTarget) this.#apply();
  }

  /** Call after each step of the world. The angle must be read before it can have changed by half a turn. */
  afterStep(): void {
    this.#isAngleStale = true;
    this.#isVelocityStale = true;
  }

  /** Call after the parts were moved, with the joint now at `angle` radians. */
  reset(angle: number): void {
    this.#angle = angle;
    this.#isAngleStale = false;
    this.#isVelocityStale = true;
    this.#gear.reset();
    this.#apply();
  }

  save(): MotorState {
    return {
      command: { ...this.#command },
      angle: this.position(),
      usesIntermediateTarget: this.#usesIntermediateTarget,
      gear: this.#gear.save(),
    };
  }

  /** Connects to a restored world. The engine's snapshot already holds the motor's settings. */
  restore(state: MotorState, world: RAPIER.World, parts: Parts): void {
    this.#parent = parts[this.#hinge.parent];
    this.#child = parts[this.#hinge.child];
    this.#joint = world.getImpulseJoint(this.#joint.handle) as RAPIER.RevoluteImpulseJoint;
    this.#command = state.command;
    this.#angle = state.angle;
    this.#isAngleStale = false;
    this.#isVelocityStale = true;
    this.#maxForce = undefined;
    this.#usesIntermediateTarget = state.usesIntermediateTarget;
    this.#gear.restore(state.gear);
  }

  /** Counts whole turns separately, so that the angle does not depend on how often it is read. */
  #measureAngle(): void {
    this.#parent.rotation(this.#parentRotation);
    this.#child.rotation(this.#childRotation);
    const wrapped = hingeAngle(this.#parentRotation, this.#childRotation, this.#axis);
    this.#angle = wrapped + 2 * Math.PI * Math.round((this.#angle - wrapped) / (2 * Math.PI));
    this.#isAngleStale = false;
  }

  #measureVelocity(): void {
    const axis = rotated(this.#parent.rotation(this.#parentRotation), this.#axis, this.#worldAxis);
    this.#velocity = dot(this.#child.angvel(this.#scratch), axis) - dot(this.#parent.angvel(this.#scratch), axis);
    this.#isVelocityStale = false;
  }

  #apply(): void {
    const command = this.#command;
    this.#usesIntermediateTarget = false;
    if (command.kind === "position") {
      const distance = command.target - this.position();
      this.#usesIntermediateTarget = Math.abs(distance) > MAX_TARGET_DISTANCE;
      const aim = this.#usesIntermediateTarget
        ? this.position() + MAX_TARGET_DISTANCE * Math.sign(distance)
        : command.target;
      this.#limitForce(command.maxTorque);
      this.#joint.configureMotor(wrapAngle(aim), 0, command.stiffness, command.damping);
    } else this.#limitForce(NO_LIMIT);
  }

  #limitForce(newtonMetres: number): void {
    if (newtonMetres === this.#maxForce) return;
    this.#maxForce = newtonMetres;
    this.#joint.setMotorMaxForce(newtonMetres);
  }
}
