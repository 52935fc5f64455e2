/** Seconds that a robot may stand still away from its default pose until it counts as staying there. */
const STAYS_AWAY_S = 5;
/** Seconds without a move after which its joints have followed their goals. */
const SETTLES_S = 0.5;

/**
 * Tells whether the wait for the robot's return to its default pose is over: it is there, or stands elsewhere and will not
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
    const stands = this.#standsSince !== null && now - this.#standsSince >= SETTLES_S;
    return isAtDefault || (stands && now - this.#from >= STAYS_AWAY_S);
  }
}
