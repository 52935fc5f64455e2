import { JOINTS } from "../../robot/description/joints.ts";
import { decodeValue, encodeValue, REGISTERS, type RegisterName } from "../../robot/servo/control-table.ts";
import { read, write } from "../../robot/servo/instructions.ts";
import type { StatusPacket } from "../../robot/servo/packet.ts";
import { StreamParser } from "../../robot/servo/stream-parser.ts";
import type { Actuator, DriveCommand } from "./actuator.ts";
import { assembleBus } from "./assembled.ts";
import type { ServoBus } from "./bus.ts";

/** kg m2 */
const INERTIA = 1e-3;
/** N m s/rad of friction that every real joint has. */
const REST = 1e-3;

/** A lone joint for the tests of this room: an inertia with a motor, and a load in N m to pull at it. */
export class SingleJoint implements Actuator {
  load = 0;
  /** Something keeps it where it is. */
  blocked = false;
  command: DriveCommand = { kind: "off" };
  /** Commands that it was given. */
  driven = 0;
  #position = 0;
  #velocity = 0;
  #torque = 0;

  constructor(position = 0) {
    this.#position = position;
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

  /** One step of Euler, implicit in the damping, as the physics engine does it. */
  step(dt: number): void {
    const { spring, damping, limit } = this.#motor();
    const freely = (this.#velocity + ((spring + this.load) * dt) / INERTIA) / (1 + ((damping + REST) * dt) / INERTIA);
    this.#torque = Math.max(-limit, Math.min(limit, spring - damping * (this.blocked ? 0 : freely)));
    if (this.blocked) return;
    this.#velocity += ((this.#torque + this.load - REST * this.#velocity) * dt) / INERTIA;
    this.#position += this.#velocity * dt;
  }

  /** Puts it elsewhere by hand, at rest. */
  turnTo(position: number): void {
    this.#position = position;
    this.#velocity = 0;
  }

  #motor(): { spring: number; damping: number; limit: number } {
    const { command } = this;
    if (command.kind === "off") return { spring: 0, damping: 0, limit: 0 };
    if (command.kind === "torque") return { spring: command.torque, damping: 0, limit: Number.POSITIVE_INFINITY };
    const { damping, maxTorque: limit } = command;
    if (command.kind === "velocity") return { spring: damping * command.target, damping, limit };
    const spring = command.stiffness * (command.target - this.#position) + damping * command.velocity;
    return { spring, damping, limit };
  }
}

/** The nine servos on nine lone joints, and a master that waits for nothing. */
export class TestBench {
  readonly joints: readonly SingleJoint[] = JOINTS.map(() => new SingleJoint());
  readonly bus: ServoBus = assembleBus(this.joints);

  /** Sends bytes and returns the status packets that come back. */
  send(bytes: Uint8Array): StatusPacket[] {
    const parser = new StreamParser();
    const packets = this.bus.receive(bytes).flatMap((reply) => parser.push(reply.bytes));
    return packets.filter((packet) => packet.kind === "status");
  }

  /** The error byte of a write; undefined when nobody answers. */
  write(id: number, name: RegisterName, value: number): number | undefined {
    return this.send(write(id, REGISTERS[name].address, encodeValue(REGISTERS[name], value)))[0]?.error;
  }

  /** A register's value; undefined when nobody answers. */
  read(id: number, name: RegisterName): number | undefined {
    const { address, size } = REGISTERS[name];
    const [reply] = this.send(read(id, address, size));
    return reply === undefined ? undefined : decodeValue(REGISTERS[name], reply.params);
  }

  /** Runs servos and joints together in steps of a millisecond. */
  run(seconds: number): void {
    for (let i = 0; i < Math.round(seconds * 1000); i++) {
      this.bus.advance(1e-3);
      for (const joint of this.joints) joint.step(1e-3);
    }
  }
}
