import type { Wear } from "../motor/gearbox.ts";

/** Injected faults of one servo. */
export interface FaultState extends Wear {
  /** It neither receives nor replies, as with a broken wire. */
  silent: boolean;
  /** It has no power: no reply and no torque, and it restarts when the power is back. */
  brownOut: boolean;
  /** When this begins, a voltage spike shuts it down: torque off and input voltage error until a reboot. */
  latch: boolean;
  /** A, added to the motor's current. */
  extraCurrent: number;
  /** K, added to its temperature. */
  extraHeat: number;
}

export const NO_FAULT: Readonly<FaultState> = {
  silent: false,
  brownOut: false,
  latch: false,
  extraCurrent: 0,
  extraHeat: 0,
  stuck: false,
  friction: 0,
  cogging: 0,
};
