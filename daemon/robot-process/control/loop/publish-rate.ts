/** Radians: a joint that has moved farther since the last published state counts as moving. */
const MOVED = 1e-3;
/**
 * Periods of 10 ms from one published state to the next while nothing moves and nobody watches: the watchdog sees that the
 * process responds.
 */
const EVERY_UNWATCHED = 10;
/** The same while it is idle. */
const EVERY_IDLE = 20;
/** Periods without a change after which it is idle: half a second, in which a touch may go on. */
const UNTIL_IDLE = 50;

/** Decides which states are published: all of them while somebody watches or the robot moves. */
export class PublishRate {
  isWatched = true;
  #position: Float64Array | undefined;
  #skipped = 0;
  #unchanged = 0;

  /** Whether nobody watches and nothing has moved for a while. */
  get isIdle(): boolean {
    return !this.isWatched && this.#unchanged >= UNTIL_IDLE;
  }

  /**
   * @param position of the joints, radians; undefined without a robot
   * @param isAtRest whether nothing drives the robot
   * @param periods since this was asked before
   */
  isDue(position: Float64Array | undefined, isAtRest: boolean, periods: number): boolean {
    const hasChanged = this.isWatched || !isAtRest || this.#hasMoved(position);
    this.#unchanged = hasChanged ? 0 : this.#unchanged + periods;
    this.#skipped += periods;
    if (!hasChanged && this.#skipped < (this.isIdle ? EVERY_IDLE : EVERY_UNWATCHED)) return false;
    this.#skipped = 0;
    this.#position = position?.slice();
    return true;
  }

  #hasMoved(position: Float64Array | undefined): boolean {
    const last = this.#position;
    if (position === undefined || last === undefined) return position !== last;
    return position.some((angle, joint) => Math.abs(angle - (last[joint] ?? 0)) > MOVED);
  }
}
