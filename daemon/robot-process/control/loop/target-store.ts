import { parseTarget } from "../../../../robot/motion/limits/motion-target.ts";
import type { Waypoint } from "../../../../robot/motion/trajectory/move.ts";
import type { Target } from "../../../../robot/wire/robot/target.ts";

/** The waypoint to follow: that of the last target or move, or none, and then the robot stays where it is. */
export class TargetStore {
  /** Whether the body follows the head when a target has no body yaw. */
  automaticBodyYaw = true;
  #goal: Waypoint | undefined;

  /** Undefined: stay. */
  get goal(): Waypoint | undefined {
    return this.#goal;
  }

  /**
   * Follows a target.
   *
   * @param last the posture that was sent last
   * @throws WorkbenchError `target-refused`, as `resolve`
   */
  accept(target: Target, last: Waypoint): void {
    this.#goal = this.resolve(target, this.#goal ?? last);
  }

  set(goal: Waypoint): void {
    this.#goal = goal;
  }

  /** Stays where the robot was last sent. */
  clear(): void {
    this.#goal = undefined;
  }

  /**
   * A target with what it leaves out taken from `last`.
   *
   * @throws WorkbenchError `target-refused` when it is no posture: not finite, or no rigid transform
   */
  resolve(target: Target, last: Waypoint): Waypoint {
    return parseTarget({
      head: target.head ?? last.head,
      antennas: target.antennas ?? last.antennas,
      bodyYaw: target.bodyYaw ?? null,
    });
  }
}
