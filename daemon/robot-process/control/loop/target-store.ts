import type { Pose } from "../../../../robot/description/frames.ts";
import { IDENTITY, poseFrom, positionOf, rotationOf } from "../../../../robot/kinematics/pose.ts";
import { multiply } from "../../../../robot/kinematics/quaternion.ts";
import { add } from "../../../../robot/kinematics/vector.ts";
import { parseTarget } from "../../../../robot/motion/limits/motion-target.ts";
import type { Waypoint } from "../../../../robot/motion/trajectory/move.ts";
import type { Target } from "../../../../robot/wire/robot/target.ts";

/** The waypoint to follow: that of the last target or move, or none, and then the robot stays where it is. */
export class TargetStore {
  readonly #onTarget: () => void;
  /** Whether the body follows the head when a target has no body yaw. */
  automaticBodyYaw = true;
  #headOffset: Pose | null = null;
  #goal: Waypoint | undefined;

  /** @param onTarget called when there is another target */
  constructor(onTarget: () => void) {
    this.#onTarget = onTarget;
  }

  /** Undefined: stay. */
  get goal(): Waypoint | undefined {
    return this.#goal;
  }

  /** Small motions on top of the head's targets, for example those of speech; null for none. */
  set headOffset(offset: Pose | null) {
    this.#headOffset = offset;
    // Another object, so that it counts as a target that was not reached yet.
    if (this.#goal !== undefined) this.#goal = { ...this.#goal };
    this.#onTarget();
  }

  /** A waypoint with the head's offset on top: turned and shifted in the world frame. */
  withOffset(waypoint: Waypoint): Waypoint {
    return this.#headOffset === null ? waypoint : { ...waypoint, head: moveBy(this.#headOffset, waypoint.head) };
  }

  /**
   * Follows a target.
   *
   * @param last the posture that was sent last
   * @throws WorkbenchError `target-refused` when it is no posture: not finite, or no rigid transform
   */
  accept(target: Target, last: Waypoint): void {
    const goal = this.#goal ?? last;
    // A target that keeps the body yaw keeps the one that the robot has, where the last target left it open.
    this.#goal = this.resolve(target, { ...goal, bodyYaw: goal.bodyYaw ?? last.bodyYaw });
    this.#onTarget();
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
    const keeps = target.keepsBodyYaw === true;
    const parsed = parseTarget({
      head: target.head ?? last.head,
      antennas: target.antennas ?? last.antennas,
      bodyYaw: target.bodyYaw ?? (keeps ? last.bodyYaw : null),
    });
    return keeps ? { ...parsed, bodyYawYields: true } : parsed;
  }

  /**
   * Where a goto ends: at its target as of `resolve`, or off `last` by it.
   *
   * @throws WorkbenchError `target-refused` when it is no posture or no offset: not finite, or no rigid transform
   */
  resolveGoto(target: Target & { readonly relative?: boolean | undefined }, last: Waypoint): Waypoint {
    if (!target.relative) return this.resolve(target, last);
    const offset = this.resolve(target, { head: IDENTITY, antennas: [0, 0], bodyYaw: null });
    const [right, left] = last.antennas;
    return {
      ...offset,
      head: moveBy(offset.head, last.head),
      antennas: [right + offset.antennas[0], left + offset.antennas[1]],
      bodyYaw: offset.bodyYaw === null ? null : (last.bodyYaw ?? 0) + offset.bodyYaw,
    };
  }
}

/** A pose, shifted and turned in the world frame by an offset. */
const moveBy = (offset: Pose, pose: Pose): Pose =>
  poseFrom(add(positionOf(pose), positionOf(offset)), multiply(rotationOf(offset), rotationOf(pose)));
