import { TICKS_PER_TURN } from "../../../robot/servo/registers/units.ts";
import type { Actuator } from "./actuator.ts";

const TICKS_PER_RADIAN = TICKS_PER_TURN / (2 * Math.PI);
/**
 * Ticks by which the angle must leave a tick before the reading changes. Chosen: magnetic encoders of this kind have such a
 * hysteresis, so that a motor at rest on the border of two ticks does not swing between them.
 */
const HYSTERESIS = 0.25;

/** The absolute encoder at a servo's output: measures the angle within a turn and counts turns while it has power. */
export class Encoder {
  /** Whole turns that are subtracted from the position. */
  #turns = 0;
  /** The last reading of the joint, ticks. */
  #tick = Number.NaN;
  readonly #joint: Actuator;
  readonly #hornOffset: number;

  /** @param hornOffset ticks by which the horn is turned relative to the joint */
  constructor(joint: Actuator, hornOffset: number) {
    this.#joint = joint;
    this.#hornOffset = hornOffset;
  }

  /** Ticks, before the homing offset. */
  get position(): number {
    const exact = (this.#joint.position() + Math.PI) * TICKS_PER_RADIAN;
    if (!(Math.abs(exact - this.#tick) <= 0.5 + HYSTERESIS)) this.#tick = Math.round(exact);
    return this.#tick - this.#hornOffset - this.#turns * TICKS_PER_TURN;
  }

  /** Resets the turn counter, as at power-on: the position is within one turn afterwards. */
  clearTurns(): void {
    this.#turns += Math.floor(this.position / TICKS_PER_TURN);
  }

  save(): { turns: number; tick: number } {
    return { turns: this.#turns, tick: this.#tick };
  }

  restore({ turns, tick }: ReturnType<Encoder["save"]>): void {
    this.#turns = turns;
    this.#tick = tick;
  }
}
