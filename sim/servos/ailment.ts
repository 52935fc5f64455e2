import type { Wear } from "./gearbox.ts";

/** What can be wrong with one servo beside what its load does to it. */
export interface Ailment extends Wear {
  /** It neither hears nor answers, as with a torn wire. */
  silent: boolean;
  /** A on top of what the motor draws. */
  extraCurrent: number;
  /** K on top of its temperature. */
  extraHeat: number;
}

export const HEALTHY: Readonly<Ailment> = {
  silent: false,
  extraCurrent: 0,
  extraHeat: 0,
  stuck: false,
  friction: 0,
  cogging: 0,
};
