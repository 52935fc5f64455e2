import { z } from "zod";
import { Angle, Offset } from "../quantities.ts";

/** Right, left; radians. */
export const Antennas = z.tuple([Angle, Angle]);
export const Interpolation = z.enum(["linear", "minjerk", "ease_in_out", "cartoon"]);
export type Interpolation = z.infer<typeof Interpolation>;
export const MotorMode = z.enum(["enabled", "disabled", "gravity_compensation"]);
export type MotorMode = z.infer<typeof MotorMode>;
export const RobotPhase = z.enum(["not_initialized", "starting", "running", "stopping", "stopped", "error"]);
export type RobotPhase = z.infer<typeof RobotPhase>;

/** Metres and radians; roll, pitch and yaw about the fixed x, y and z axes in this order (R = Rz Ry Rx). */
export const XyzRpy = z.object({
  x: Offset.default(0),
  y: Offset.default(0),
  z: Offset.default(0),
  roll: Angle.default(0),
  pitch: Angle.default(0),
  yaw: Angle.default(0),
});
export type XyzRpy = z.infer<typeof XyzRpy>;
