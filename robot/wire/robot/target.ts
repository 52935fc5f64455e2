import { z } from "zod";
import { Angle, durationUpTo, Matrix16 } from "../quantities.ts";
import { Antennas, Interpolation } from "./robot-fields.ts";

/** Where the robot is to go. A part that is null or absent stays as it was last commanded. */
export const Target = z.object({
  /** Head pose in the world frame: 4x4, row-major, metres; the identity is neutral. */
  head: Matrix16.readonly().nullish(),
  /** Right, left; radians. */
  antennas: Antennas.readonly().nullish(),
  /** Radians; null leaves it to the automatic body yaw. */
  bodyYaw: Angle.nullish(),
  /**
   * Whether a body yaw that is left out stays as it was commanded last, and one that is given yields to a head that turns
   * farther than it can from the body, as in the public protocol.
   */
  keepsBodyYaw: z.boolean().optional(),
});
export type Target = Readonly<z.infer<typeof Target>>;

/** Seconds of the longest move of the public protocol: an hour. The SDK, the REST interface and the dashboard allow a minute. */
export const MAX_GOTO_SECONDS = 3600;

/** A timed move to a target. `duration`: seconds, above 0 and at most `MAX_GOTO_SECONDS`. */
export const GotoRequest = Target.extend({
  duration: durationUpTo(MAX_GOTO_SECONDS),
  method: Interpolation,
  /**
   * Whether the target is an offset from where the robot was sent last: the head is shifted and turned in the world frame,
   * angles are added. Default false.
   */
  relative: z.boolean().optional(),
});
export type GotoRequest = Readonly<z.infer<typeof GotoRequest>>;

/** How a move ended: it reached its end, a newer move replaced it, or a client cancelled it. */
export const MoveOutcome = z.enum(["finished", "superseded", "cancelled"]);
export type MoveOutcome = z.infer<typeof MoveOutcome>;
