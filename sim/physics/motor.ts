import RAPIER from "@dimforge/rapier3d-compat";
import type { Actuator, DriveCommand } from "../servos/actuator.ts";
import { dot, hingeAngle, noRotation, rotated, scaled, toVector, wrapAngle, zeroVector } from "./linear.ts";
import type { Loads } from "./loads.ts";
import type { Parts } from "./parts.ts";
import type { Hinge } from "./plan.ts";

/** Holds an unpowered joint until its friction gives way, so stiffly that it does not creep; N m s/rad. */
const STICTION = 5;
/**
 * The engine measures a hinge between -pi and pi and drives it the short way round. Farther than this from its target
 * the motor aims at a nearer point in the right direction; its torque is at the limit there anyway.
 */
const LONGEST_AIM = 1;

/** What a motor needs to go on after a restore, beside the engine's own state. */
export interface MotorState {
  readonly command: DriveCommand;
  readonly angle: number;
  readonly aimsShort: boolean;
  readonly friction: number;
}

/** A geared motor on a hinge. Its angle counts on over full turns. */
export class JointMotor implements Actuator {
  readonly #hinge: Hinge;
  readonly #axis: RAPIER.Vector;
  #parent: RAPIER.RigidBody;
  #child: RAPIER.RigidBody;
  #joint: RAPIER.UnitImpulseJoint;
  #friction: number;
  #command: DriveCommand = { kind: "off" };
  #angle = 0;
  /** Whether the world has moved on since the angle was read. */
  #isStale = false;
  /** Whether the engine was given a nearer point than the target. */
  #aimsShort = false;
  readonly #parentRotation = noRotation();
  readonly #childRotation = noRotation();
  readonly #worldAxis = zeroVector();
  readonly #scratch = zeroVector();

  /** `friction` in N m resists the motor while it has no power. */
  constructor(hinge: Hinge, parts: Parts, joint: RAPIER.UnitImpulseJoint, friction: number) {
    this.#hinge = hinge;
    this.#axis = toVector(hinge.axis);
    this.#parent = parts[hinge.parent];
    this.#child = parts[hinge.child];
    this.#joint = joint;
    this.#friction = friction;
    joint.configureMotorModel(RAPIER.MotorModel.ForceBased);
    this.#apply();
  }

  position(): number {
    if (this.#isStale) this.#measure();
    return this.#angle;
  }

  velocity(): number {
    const axis = this.#readWorldAxis();
    return dot(this.#child.angvel(this.#scratch), axis) - dot(this.#parent.angvel(this.#scratch), axis);
  }

  torque(): number {
    const command = this.#command;
    if (command.kind === "off") return 0;
    if (command.kind === "torque") return command.torque;
    const aim = command.kind === "position" ? command.velocity : command.target;
    const spring = command.kind === "position" ? command.stiffness * (command.target - this.position()) : 0;
    const torque = spring + command.damping * (aim - this.velocity());
    return Math.max(-command.maxTorque, Math.min(command.maxTorque, torque));
  }

  drive(command: DriveCommand): void {
    this.#command = command;
    this.#apply();
  }

  /** Before a step of the world: what must follow the motion. */
  prepare(loads: Loads): void {
    if (this.#aimsShort) this.#apply();
    if (this.#command.kind !== "torque") return;
    const torque = scaled(this.#readWorldAxis(), this.#command.torque, this.#scratch);
    loads.turn(this.#child, torque);
    loads.turn(this.#parent, scaled(torque, -1, torque));
  }

  /** After a step of the world. The angle must be read before it can have changed by half a turn. */
  moved(): void {
    this.#isStale = true;
  }

  /** The parts were put elsewhere, with the joint at `angle` radians. */
  reset(angle: number): void {
    this.#angle = angle;
    this.#isStale = false;
    this.#apply();
  }

  save(): MotorState {
    return {
      command: { ...this.#command },
      angle: this.position(),
      aimsShort: this.#aimsShort,
      friction: this.#friction,
    };
  }

  /** Goes on in a restored world; the engine remembers by itself what its motor was told. */
  restore(state: MotorState, world: RAPIER.World, parts: Parts): void {
    this.#parent = parts[this.#hinge.parent];
    this.#child = parts[this.#hinge.child];
    this.#joint = world.getImpulseJoint(this.#joint.handle) as RAPIER.RevoluteImpulseJoint;
    this.#command = state.command;
    this.#angle = state.angle;
    this.#isStale = false;
    this.#aimsShort = state.aimsShort;
    this.#friction = state.friction;
  }

  /** Whole turns are counted on apart, so that the angle does not depend on how often somebody looks. */
  #measure(): void {
    this.#parent.rotation(this.#parentRotation);
    this.#child.rotation(this.#childRotation);
    const wrapped = hingeAngle(this.#parentRotation, this.#childRotation, this.#axis);
    this.#angle = wrapped + 2 * Math.PI * Math.round((this.#angle - wrapped) / (2 * Math.PI));
    this.#isStale = false;
  }

  #readWorldAxis(): RAPIER.Vector {
    return rotated(this.#parent.rotation(this.#parentRotation), this.#axis, this.#worldAxis);
  }

  #apply(): void {
    const command = this.#command;
    this.#aimsShort = false;
    if (command.kind === "position") {
      const way = command.target - this.position();
      this.#aimsShort = Math.abs(way) > LONGEST_AIM;
      const aim = this.#aimsShort ? this.position() + LONGEST_AIM * Math.sign(way) : command.target;
      this.#joint.setMotorMaxForce(command.maxTorque);
      this.#joint.configureMotor(wrapAngle(aim), command.velocity, command.stiffness, command.damping);
    } else if (command.kind === "velocity") {
      this.#joint.setMotorMaxForce(command.maxTorque);
      this.#joint.configureMotorVelocity(command.target, command.damping);
    } else {
      this.#joint.setMotorMaxForce(this.#friction);
      this.#joint.configureMotorVelocity(0, STICTION);
    }
  }
}
