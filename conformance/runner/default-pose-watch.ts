/** Seconds that a robot may stand still away from its default pose until it counts as staying there. */
const STAYS_AWAY_S = 5;
/** Seconds without a move after which its joints have followed their goals. */
const SETTLES_S = 0.5;
/** Seconds that it stands in its default pose: what the app has asked for before its end may move it again. */
const STAYS_THERE_S = 0.3;

/**
 * Tells whether the wait for the robot's return to its default pose is over: it stays there, or stands elsewhere and will not
 * move any more. On a busy machine the daemon begins the move late, and the simulated robot moves slower.
 */
export class DefaultPoseWatch {
  readonly #from: number;
  #standsSince: number | null = null;

  /** @param now seconds since the start of the test run, as at each look */
  constructor(now: number) {
    this.#from = now;
  }

  isOver(now: number, { isAtDefault, isMoving }: { isAtDefault: boolean; isMoving: boolean }): boolean {
    this.#standsSince = isMoving ? null : (this.#standsSince ?? now);
    const stands = this.#standsSince === null ? 0 : now - this.#standsSince;
    if (isAtDefault) return stands >= STAYS_THERE_S;
    return stands >= SETTLES_S && now - this.#from >= STAYS_AWAY_S;
  }
}
