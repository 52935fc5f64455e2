import { radiansToTicks, TICKS_PER_TURN } from "../../../robot/servo/registers/units.ts";
import type { Actuator } from "./actuator.ts";

/** The absolute encoder at a servo's output: measures the angle within a turn and counts turns while it has power. */
export class Encoder {
  /** Whole turns that are subtracted from the position. */
  turns = 0;
  readonly #joint: Actuator;
  readonly #hornOffset: number;

  /** @param hornOffset ticks by which the horn is turned relative to the joint */
  constructor(joint: Actuator, hornOffset: number) {
    this.#joint = joint;
    this.#hornOffset = hornOffset;
  }

  /** Ticks, before the homing offset. */
  get position(): number {
    return radiansToTicks(this.#joint.position()) + this.ticksAtZero;
  }

  /** Ticks at joint angle -pi. */
  get ticksAtZero(): number {
    return -this.#hornOffset - this.turns * TICKS_PER_TURN;
  }

  /** Resets the turn counter, as at power-on: the position is within one turn afterwards. */
  clearTurns(): void {
    this.turns += Math.floor(this.position / TICKS_PER_TURN);
  }
}
