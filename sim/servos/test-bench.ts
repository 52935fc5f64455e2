import { JOINTS } from "../../robot/description/joints.ts";
import { decodeValue, encodeValue, REGISTERS, type RegisterName } from "../../robot/servo/control-table.ts";
import { read, write } from "../../robot/servo/instructions.ts";
import type { StatusPacket } from "../../robot/servo/packet.ts";
import { StreamParser } from "../../robot/servo/stream-parser.ts";
import type { Actuator, DriveCommand } from "./actuator.ts";
import { assembleBus } from "./assembled.ts";
import type { ServoBus } from "./bus.ts";

/** A lone joint for the tests of this room: an inertia of 1e-3 kg m2 with a motor, and a load in N m to pull at it. */
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

  /** One step of semi-implicit Euler; `friction` is a viscous rest of what every real joint has. */
  step(dt: number): void {
    const friction = 1e-3 * this.#velocity;
    this.#torque = this.#motorTorque();
    if (this.blocked) return;
    this.#velocity += ((this.#torque + this.load - friction) * dt) / 1e-3;
    this.#position += this.#velocity * dt;
  }

  /** Puts it elsewhere by hand, at rest. */
  turnTo(position: number): void {
    this.#position = position;
    this.#velocity = 0;
  }

  #motorTorque(): number {
    const { command } = this;
    if (command.kind === "off") return 0;
    if (command.kind === "torque") return command.torque;
    const wanted =
      command.kind === "velocity"
        ? command.damping * (command.target - this.#velocity)
        : command.stiffness * (command.target - this.#position) + command.damping * (command.velocity - this.#velocity);
    return Math.max(-command.maxTorque, Math.min(command.maxTorque, wanted));
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
