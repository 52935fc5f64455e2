import { JOINTS } from "../../robot/description/joints.ts";
import { SLEEP_POSE } from "../../robot/description/poses.ts";
import { postureOf } from "../../sim/physics/model/posture.ts";
import { TIMESTEP } from "../../sim/physics/world.ts";
import type { Mechanism } from "../../sim/robot.ts";
import type { Actuator, DriveCommand } from "../../sim/servos/motor/actuator.ts";
import { MOTORS, type MotorParameters } from "../../sim/servos/motor/motor-parameters.ts";

/** rad/s that a torque of one N m turns a joint whose motor is off. */
const FREE_MOBILITY = 30;
/** Metres from an antenna's joint to where a hand touches it. */
const ANTENNA_LENGTH = 0.1;
/** rad/s below which a joint stands still. */
const STILL = 1e-3;

/** A joint without inertia, friction and weight: its motor turns it at the speed that its voltage and its load allow. */
class IdealJoint implements Actuator {
  readonly #motor: MotorParameters;
  #command: DriveCommand = { kind: "off" };
  /** N m from outside. */
  #load = 0;
  #position: number;
  #velocity = 0;

  constructor(motor: MotorParameters, position: number) {
    this.#motor = motor;
    this.#position = position;
  }

  position = (): number => this.#position;
  velocity = (): number => this.#velocity;
  torque = (): number => (this.#command.kind === "off" ? 0 : -this.#load);

  drive(command: DriveCommand): void {
    this.#command = command;
    this.#update();
  }

  /** Pushes the joint until the next call, N m. */
  push(load: number): void {
    this.#load = load;
    this.#update();
  }

  step(): void {
    this.#position += this.#velocity * TIMESTEP;
  }

  #update(): void {
    const { resistance, torqueConstant, backEmfConstant } = this.#motor;
    const command = this.#command;
    if (command.kind === "off") this.#velocity = FREE_MOBILITY * this.#load;
    else if (command.kind === "position") this.#velocity = 0;
    else this.#velocity = (command.volts + (resistance * this.#load) / torqueConstant) / backEmfConstant;
  }
}

/** The robot's nine joints without the physics engine; a hand can push the antennas. */
export class IdealJoints implements Mechanism {
  readonly actuators = JOINTS.map(({ model }, joint) => {
    return new IdealJoint(MOTORS[model], postureOf(SLEEP_POSE).joints[joint] ?? 0);
  });
  #pushedSteps = 0;

  get isAtRest(): boolean {
    return this.#pushedSteps === 0 && this.actuators.every((joint) => Math.abs(joint.velocity()) < STILL);
  }

  step(): void {
    if (this.#pushedSteps > 0 && --this.#pushedSteps === 0) for (const joint of this.actuators) joint.push(0);
    for (const joint of this.actuators) joint.step();
  }

  /** Nothing moves. */
  skip(): void {}

  push(...[, push, seconds = 0]: Parameters<Mechanism["push"]>): void {
    const joint = JOINTS.findIndex(({ name }) => name === push?.body);
    const force = push !== null && "force" in push ? push.force[0] : 0;
    const actuator = this.actuators[joint];
    if (actuator === undefined) return;
    actuator.push(ANTENNA_LENGTH * force);
    this.#pushedSteps = Math.ceil(seconds / TIMESTEP);
  }

  // The robot's snapshot at its start is taken and never used.
  snapshot(): null {
    return null;
  }
  restore(): void {
    throw new Error("Ideal joints keep no snapshots.");
  }
  free(): void {}
}
