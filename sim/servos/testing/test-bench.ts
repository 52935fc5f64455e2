import { JOINTS } from "../../../robot/description/joints.ts";
import { read, write } from "../../../robot/servo/protocol/instructions.ts";
import type { StatusPacket } from "../../../robot/servo/protocol/packet.ts";
import { StreamParser } from "../../../robot/servo/protocol/stream-parser.ts";
import {
  decodeValue,
  encodeValue,
  REGISTERS,
  type RegisterName,
} from "../../../robot/servo/registers/control-table.ts";
import { RATED_VOLTAGE, stiffnessOf } from "../../../robot/servo/registers/models.ts";
import { assembleBus } from "../assemble-bus.ts";
import type { ServoBus } from "../bus/bus.ts";
import type { Actuator, DriveCommand } from "../motor/actuator.ts";
import { GearMotor } from "../motor/gear-motor.ts";
import { MOTORS, type MotorParameters } from "../motor/motor-parameters.ts";

/** N m s/rad of the bearing, in addition to the gear's. */
const FRICTION = 1e-3;

/** Id of the servo of stewart_1, the joint that `benchWithJoint` returns. */
export const SERVO_ID = 11;
/** N m/rad with which this servo holds its goal, with the robot's gains at the rated voltage. */
export const STIFFNESS = stiffnessOf(JOINTS[1]);
/** Radians: dry friction can stop this joint as far as this from its goal. */
export const DEAD_BAND = MOTORS["XL330-M288"].staticFriction / STIFFNESS;

/** A single joint for tests: a motor with the inertia of its rotor, and an external load torque in N m. */
export class SingleJoint implements Actuator {
  load = 0;
  /** Whether the joint is held in place from outside. */
  blocked = false;
  command: DriveCommand = { kind: "off" };
  readonly #motor: GearMotor;
  readonly #inertia: number;
  /** Number of commands received. */
  driven = 0;
  #position = 0;
  #velocity = 0;
  #torque = 0;

  constructor(parameters: MotorParameters) {
    this.#motor = new GearMotor(parameters);
    this.#inertia = parameters.rotorInertia;
  }

  position(): number {
    return this.#position;
  }
  velocity(): number {
    return this.#velocity;
  }
  torque(): number {
    return this.#torque;
  }
  drive(command: DriveCommand): void {
    this.command = command;
    this.driven++;
  }

  /** One Euler step, implicit in the damping, as in the physics engine. */
  step(dt: number): void {
    // A servo drives a position only to hold a jammed gear.
    const turns = this.#motor.follow(dt, this.command, this) && !this.blocked;
    const { torque, damping } = this.#motor;
    if (!turns) this.#velocity = 0;
    else {
      const accelerated = this.#velocity + ((torque + this.load) * dt) / this.#inertia;
      this.#velocity = accelerated / (1 + ((damping + FRICTION) * dt) / this.#inertia);
    }
    this.#torque = torque - damping * this.#velocity;
    this.#position += this.#velocity * dt;
  }

  /** Sets the position, with zero velocity. */
  turnTo(position: number): void {
    this.#position = position;
    this.#velocity = 0;
  }
}

/** The nine servos on nine single joints, with a bus master. */
export class TestBench {
  readonly joints: readonly SingleJoint[] = JOINTS.map(({ model }) => new SingleJoint(MOTORS[model]));
  readonly bus: ServoBus;

  /** @param supply V; by default that of the data sheets */
  constructor(supply = RATED_VOLTAGE) {
    this.bus = assembleBus(this.joints, supply);
  }

  /** Switches the supply off and on. */
  reboot(): void {
    for (const servo of this.bus.servos) servo.reboot();
  }

  /** Sends bytes and returns the status packets of the replies. */
  send(bytes: Uint8Array): StatusPacket[] {
    const parser = new StreamParser();
    const packets = this.bus.receive(bytes).flatMap((reply) => parser.push(reply.bytes));
    return packets.filter((packet) => packet.kind === "status");
  }

  /** The error byte of a write; undefined without a reply. */
  write(id: number, name: RegisterName, value: number): number | undefined {
    return this.send(write(id, REGISTERS[name].address, encodeValue(REGISTERS[name], value)))[0]?.error;
  }

  /** A register's value; undefined without a reply. */
  read(id: number, name: RegisterName): number | undefined {
    const { address, size } = REGISTERS[name];
    const [reply] = this.send(read(id, address, size));
    return reply === undefined ? undefined : decodeValue(REGISTERS[name], reply.params);
  }

  /** Runs servos and joints together in steps of 1 ms. */
  run(seconds: number): void {
    for (let i = 0; i < Math.round(seconds * 1000); i++) {
      this.bus.advance(1e-3);
      for (const joint of this.joints) joint.step(1e-3);
    }
  }
}

/** A test bench with all servos, and its joint stewart_1. */
export function benchWithJoint(): { bench: TestBench; joint: SingleJoint } {
  const bench = new TestBench();
  const [, joint] = bench.joints;
  if (joint === undefined) throw new Error("The bench has no stewart_1.");
  return { bench, joint };
}
