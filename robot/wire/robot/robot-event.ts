import { z } from "zod";

/** How the dashboard shows a message. */
export const MessageLevel = z.enum(["info", "warning", "error"]);
export type MessageLevel = z.infer<typeof MessageLevel>;

const RobotEventKind = z.enum([
  "phase",
  "move_started",
  "move_ended",
  /**
   * The robot goes elsewhere than requested, or later. `data.reason` is `range`, `reach`, `rate` or `recovery`, and `data.move`
   * the kind of the move that runs; null for a target.
   */
  "target_clipped",
  "target_refused",
  "fault",
  /** Servos report a supply that the robot runs with. */
  "supply",
  "antenna_touched",
  /** A moment of a move that a sound can go with: `data.cue` is `wake_up_sound`, `sleep_sound` or `motors_off`. */
  "cue",
  "motor_mode",
]);

/** Something that happened to the robot, sent immediately. */
export const RobotEvent = z.object({
  kind: RobotEventKind,
  level: MessageLevel,
  /** A sentence: what, the value, the allowed range, the next step. */
  message: z.string(),
  data: z.record(z.string(), z.unknown()),
});
export type RobotEvent = z.infer<typeof RobotEvent>;
