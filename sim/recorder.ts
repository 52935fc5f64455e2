import type { Writable } from "node:stream";
import { JOINT_NAMES } from "../robot/description/joints.ts";
import { rounded } from "./page/frame.ts";
import type { PhysicsWorld } from "./physics/world.ts";

/**
 * Records a run, one JSON object per line: first the names of the joints, then `{t, joints, head}` for motion (radians;
 * 4x4 row-major, metres), `{t, to}` and `{t, from}` for bytes to and from the robot in hex. `t` is in simulated seconds.
 * Lines are dropped while the file is too slow.
 */
export class Recorder {
  readonly #out: Writable;
  readonly #physics: PhysicsWorld;
  readonly #time: () => number;

  constructor(out: Writable, physics: PhysicsWorld, time: () => number) {
    this.#out = out;
    this.#physics = physics;
    this.#time = time;
    this.#line({ joints: JOINT_NAMES });
  }

  motion(): void {
    const { joints, head } = this.#physics.posture();
    this.#entry({ joints: joints.map(rounded), head: Array.from(head, rounded) });
  }

  traffic(direction: "to" | "from", bytes: Uint8Array): void {
    this.#entry({ [direction]: Buffer.from(bytes).toString("hex") });
  }

  /** Resolves when everything is written. */
  close(): Promise<void> {
    return new Promise((resolve) => this.#out.end(resolve));
  }

  #entry(what: Record<string, unknown>): void {
    this.#line({ t: rounded(this.#time()), ...what });
  }

  #line(what: Record<string, unknown>): void {
    if (this.#out.writable && !this.#out.writableNeedDrain) this.#out.write(`${JSON.stringify(what)}\n`);
  }
}
