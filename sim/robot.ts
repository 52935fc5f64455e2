import { SLEEP } from "../robot/description/poses.ts";
import { createPhysics } from "./physics/engine.ts";
import { type Posture, postureOf } from "./physics/posture.ts";
import { type PhysicsSnapshot, type PhysicsWorld, TIMESTEP } from "./physics/world.ts";
import { assembleBus } from "./servos/assembled.ts";
import type { ServoBus } from "./servos/bus.ts";

/** Physics steps for each step of the servos' firmware. */
const STEPS_PER_FIRMWARE = 2;

export interface RobotOptions {
  /** The same seed, bytes and times give the same robot, bit by bit. */
  readonly seed: number;
  /** Where it was left before it was plugged in; the sleep pose when absent. */
  readonly posture?: Posture;
}

export interface RobotSnapshot {
  readonly physics: PhysicsSnapshot;
  readonly servos: ReturnType<ServoBus["save"]>;
}

/**
 * A robot that was just plugged in: mechanism and servos, asleep and without torque. Bytes go in and come out; time is
 * simulated and moves only with `advanceTo`.
 */
export class SimulatedRobot {
  readonly physics: PhysicsWorld;
  readonly servos: ServoBus;
  /** Bytes that wait for their servo's return delay, in the order of the wire. */
  readonly #waiting: { bytes: Uint8Array; due: number }[] = [];
  readonly #transmit: (bytes: Uint8Array) => void;
  readonly #plugged: RobotSnapshot;
  #steps = 0;

  private constructor(physics: PhysicsWorld, transmit: (bytes: Uint8Array) => void) {
    this.physics = physics;
    this.servos = assembleBus(physics.actuators);
    this.#transmit = transmit;
    this.#plugged = this.snapshot();
  }

  /** @param transmit takes what the servos send; it is called from within `receive` and `advanceTo` */
  static async create(
    { seed, posture = postureOf(SLEEP) }: RobotOptions,
    transmit: (bytes: Uint8Array) => void,
  ): Promise<SimulatedRobot> {
    return new SimulatedRobot(await createPhysics({ posture, seed }), transmit);
  }

  /** Simulated seconds since it was plugged in. */
  get time(): number {
    return this.#steps * TIMESTEP;
  }

  /** Bytes from the other end of the wire. */
  receive(bytes: Uint8Array): void {
    let due = Math.max(this.time, this.#waiting.at(-1)?.due ?? 0);
    for (const reply of this.servos.receive(bytes)) {
      due += reply.delay;
      this.#waiting.push({ bytes: reply.bytes, due });
    }
    this.#send();
  }

  /** Lets the robot live until this simulated second; does nothing when that is past. */
  advanceTo(seconds: number): void {
    const until = Math.floor(seconds / TIMESTEP + 1e-6);
    while (this.#steps < until) {
      if (this.physics.steps % STEPS_PER_FIRMWARE === 0) this.servos.advance(STEPS_PER_FIRMWARE * TIMESTEP);
      this.physics.step();
      this.#steps += 1;
    }
    this.#send();
  }

  /** Pulls the plug, puts the robot back to where it started, without objects, and plugs it in again. Time goes on. */
  reset(): void {
    this.restore(this.#plugged);
  }

  snapshot(): RobotSnapshot {
    return { physics: this.physics.snapshot(), servos: this.servos.save() };
  }

  restore(snapshot: RobotSnapshot): void {
    this.#waiting.length = 0;
    this.physics.restore(snapshot.physics);
    this.servos.restore(snapshot.servos);
  }

  /** Gives the engine's memory back. */
  free(): void {
    this.physics.free();
  }

  #send(): void {
    const due = this.#waiting.findIndex((reply) => reply.due > this.time + 1e-9);
    const ready = this.#waiting.splice(0, due < 0 ? this.#waiting.length : due);
    if (ready.length === 0) return;
    const bytes = new Uint8Array(ready.reduce((sum, reply) => sum + reply.bytes.length, 0));
    let at = 0;
    for (const reply of ready) {
      bytes.set(reply.bytes, at);
      at += reply.bytes.length;
    }
    this.#transmit(bytes);
  }
}
