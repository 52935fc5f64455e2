import type { Waypoint } from "../../robot/motion/move.ts";
import { soundRequest } from "../../robot/motion/request.ts";
import type { Target } from "./robot.ts";

/** Where the robot shall be while no move runs: the last target, or nothing, which is to stay as it is. */
export class TargetStore {
  /** Whether the body follows the head when a target says nothing of the body. */
  automaticBodyYaw = true;
  #goal: Waypoint | undefined;

  /** Undefined: stay. */
  get goal(): Waypoint | undefined {
    return this.#goal;
  }

  /**
   * Takes a target as the goal. Throws as `resolve` does.
   *
   * @param last what was last sent
   */
  aim(target: Target, last: Waypoint): void {
    this.#goal = this.resolve(target, this.#goal ?? last);
  }

  /** The goal from here on; undefined: wherever the robot was last sent. */
  set(goal: Waypoint | undefined): void {
    this.#goal = goal;
  }

  /**
   * A target with what it leaves out taken from `last`.
   *
   * @throws WorkbenchError `target-refused` when it is not a posture: not finite, or no rigid transform
   */
  resolve(target: Target, last: Waypoint): Waypoint {
    return soundRequest({
      head: target.head ?? last.head,
      antennas: target.antennas ?? last.antennas,
      bodyYaw: target.bodyYaw ?? null,
    });
  }
}
