/** Seconds that the robot has to return to its default pose; while it is still on its way, the longest. */
const RETURN_LIMIT_S = 5;
const LONGEST_RETURN_S = 10;
/** Seconds without a move after which the robot stands: its joints follow later than its goals. */
const STANDS_S = 0.5;

/** What is known of the robot while it returns. */
export interface ReturningRobot {
  isAtDefault: boolean;
  isMoving: boolean;
}

/**
 * Tells when an app's robot has returned to its default pose, or will not. On a busy machine the daemon begins the move late,
 * and the simulated robot moves slower.
 */
export class ReturnWatch {
  readonly #from: number;
  #standsSince: number | null = null;

  /** @param now seconds since the start of the test run, as at each look */
  constructor(now: number) {
    this.#from = now;
  }

  isOver(now: number, { isAtDefault, isMoving }: ReturningRobot): boolean {
    this.#standsSince = isMoving ? null : (this.#standsSince ?? now);
    const took = now - this.#from;
    const stands = this.#standsSince !== null && now - this.#standsSince >= STANDS_S;
    return isAtDefault || (took >= RETURN_LIMIT_S && stands) || took >= LONGEST_RETURN_S;
  }
}
