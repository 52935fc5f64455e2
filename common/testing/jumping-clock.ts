import { ManualClock } from "../time/manual-clock.ts";

const HOUR = 3_600_000;
/** What somebody, or the network time after a boot, does to a wall clock, in milliseconds. */
const JUMPS = [0, HOUR, -HOUR, 0, -20_000 * HOUR, 1, 50_000 * HOUR, -1, -50_000 * HOUR];

/** A wall clock that jumps back and forth, differently at every reading, for code that must not depend on it. */
export function jumpingUnixTime(): () => number {
  let readings = 0;
  let time = Date.UTC(2020, 0, 1);
  return () => {
    time += JUMPS[readings++ % JUMPS.length] ?? 0;
    return time;
  };
}

/** A `ManualClock` with such a wall clock. */
export class JumpingClock extends ManualClock {
  override unixTime = jumpingUnixTime();
}
