import { radiansToTicks, TICKS_PER_TURN } from "../../robot/servo/units.ts";
import type { Actuator } from "./actuator.ts";

/** The absolute encoder on a servo's output: it knows its angle within a turn and counts turns while it has power. */
export class Encoder {
  /** Whole turns left out of the position. */
  turns = 0;
  readonly #joint: Actuator;
  readonly #hornOffset: number;

  /** `hornOffset` is by how many ticks the horn is turned against the joint. */
  constructor(joint: Actuator, hornOffset: number) {
    this.#joint = joint;
    this.#hornOffset = hornOffset;
  }

  /** Ticks, before the homing offset. */
  get position(): number {
    return radiansToTicks(this.#joint.position()) + this.ticksAtZero;
  }

  /** What it reads at joint angle -pi. */
  get ticksAtZero(): number {
    return -this.#hornOffset - this.turns * TICKS_PER_TURN;
  }

  /** Leaves out the turns that it has counted, as at power-on. */
  dropTurns(): void {
    this.turns += Math.floor(this.position / TICKS_PER_TURN);
  }
}
