import { type Pose, sixValues } from "../../robot/description/frames.ts";
import { JOINTS } from "../../robot/description/joints.ts";
import { SLEEP_POSE } from "../../robot/description/poses.ts";
import { forwardKinematics } from "../../robot/kinematics/forward.ts";
import { type Posture, postureOf } from "../physics/model/posture.ts";
import { TIMESTEP } from "../physics/world.ts";
import type { Mechanism } from "../robot.ts";
import type { Actuator, DriveCommand } from "../servos/motor/actuator.ts";
import { MOTORS, type MotorParameters } from "../servos/motor/motor-parameters.ts";

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

  /** Sets the angle, rad. */
  turnTo(position: number): void {
    this.#position = position;
  }

  save = () => ({
    command: this.#command,
    load: this.#load,
    position: this.#position,
    velocity: this.#velocity,
  });

  restore({ command, load, position, velocity }: ReturnType<IdealJoint["save"]>): void {
    this.#command = command;
    this.#load = load;
    this.#position = position;
    this.#velocity = velocity;
  }

  #update(): void {
    const { resistance, torqueConstant, backEmfConstant } = this.#motor;
    const command = this.#command;
    if (command.kind === "off") this.#velocity = FREE_MOBILITY * this.#load;
    else if (command.kind === "position") this.#velocity = 0;
    else this.#velocity = (command.volts + (resistance * this.#load) / torqueConstant) / backEmfConstant;
  }
}

/** The robot's nine joints without the physics engine: no weight, no platform that ties the legs. A hand can push the antennas. */
export class IdealJoints implements Mechanism {
  readonly actuators = JOINTS.map(({ model }, joint) => {
    return new IdealJoint(MOTORS[model], postureOf(SLEEP_POSE).joints[joint] ?? 0);
  });
  #pushedSteps = 0;
  #head = SLEEP_POSE.head;

  get isAtRest(): boolean {
    return this.#pushedSteps === 0 && this.actuators.every((joint) => Math.abs(joint.velocity()) < STILL);
  }

  /** The head is where the legs' angles put it; while no pose fits them, where it was when this was asked last. */
  posture(): Posture {
    const joints = this.actuators.map((joint) => joint.position());
    const [bodyYaw = 0, ...legs] = joints;
    this.#head =
      forwardKinematics(
        sixValues((leg) => legs[leg] ?? 0),
        bodyYaw,
        this.#head,
      ) ?? this.#head;
    return { joints, head: this.#head };
  }

  headPose(): Pose {
    return this.posture().head;
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

  snapshot() {
    return { joints: this.actuators.map((joint) => joint.save()), pushedSteps: this.#pushedSteps };
  }

  restore({ joints, pushedSteps }: ReturnType<IdealJoints["snapshot"]>): void {
    for (const [index, joint] of joints.entries()) this.actuators[index]?.restore(joint);
    this.#pushedSteps = pushedSteps;
  }

  free(): void {}
}
