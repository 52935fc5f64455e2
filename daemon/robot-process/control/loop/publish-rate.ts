/** Radians by which a joint has moved when its state is news. */
const MOVED = 1e-3;
/** While nothing moves and nobody watches, one of so many states is published: 10 per second, so that the process counts as alive. */
const EVERY_UNWATCHED = 5;

/** Decides which states are published: all of them while somebody watches or the robot moves. */
export class PublishRate {
  isWatched = true;
  #position: Float64Array | undefined;
  #skipped = 0;

  /**
   * @param position of the joints, radians; undefined without a robot
   * @param isAtRest whether nothing drives the robot
   */
  isDue(position: Float64Array | undefined, isAtRest: boolean): boolean {
    const isNews = this.isWatched || !isAtRest || this.#hasMoved(position);
    if (!isNews && ++this.#skipped < EVERY_UNWATCHED) return false;
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
