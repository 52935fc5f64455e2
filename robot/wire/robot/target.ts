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
});
export type Target = Readonly<z.infer<typeof Target>>;

/** A timed move to a target. `duration`: seconds, above 0 and at most 60. */
export const GotoRequest = Target.extend({ duration: durationUpTo(60), method: Interpolation });
export type GotoRequest = Readonly<z.infer<typeof GotoRequest>>;

/** How a move ended: it reached its end, a newer move replaced it, or a client cancelled it. */
export const MoveOutcome = z.enum(["finished", "superseded", "cancelled"]);
export type MoveOutcome = z.infer<typeof MoveOutcome>;
