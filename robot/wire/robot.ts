import { z } from "zod";

const finite = z.number();
/** A rigid transform, 4x4, row-major, translation in metres; the identity is the neutral head. */
export const Matrix16 = z.array(finite).length(16);
/** Right, left; radians. */
export const Antennas = z.tuple([finite, finite]);
export const Interpolation = z.enum(["linear", "minjerk", "ease_in_out", "cartoon"]);
export type Interpolation = z.infer<typeof Interpolation>;
export const MotorMode = z.enum(["enabled", "disabled", "gravity_compensation"]);
export type MotorMode = z.infer<typeof MotorMode>;
export const RobotPhase = z.enum(["not_initialized", "starting", "running", "stopping", "stopped", "error"]);
export type RobotPhase = z.infer<typeof RobotPhase>;

/** Metres and radians; roll, pitch and yaw about the fixed x, y and z axes in this order (R = Rz Ry Rx). */
export const XyzRpy = z.object({
  x: finite.default(0),
  y: finite.default(0),
  z: finite.default(0),
  roll: finite.default(0),
  pitch: finite.default(0),
  yaw: finite.default(0),
});
export type XyzRpy = z.infer<typeof XyzRpy>;
