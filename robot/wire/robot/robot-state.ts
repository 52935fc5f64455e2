import { z } from "zod";
import { InertialReading } from "./inertial-reading.ts";
import { MotorMode, RobotPhase } from "./robot-fields.ts";

/** A rigid transform that the robot has measured: 4x4, row-major, metres; the identity is the neutral head. */
const number = z.number();
// biome-ignore format: four rows of four
const MeasuredPose = z.tuple([
  number, number, number, number,
  number, number, number, number,
  number, number, number, number,
  number, number, number, number,
]).readonly();

const Joints = z.object({
  /** body_yaw, stewart_1 .. stewart_6; radians. */
  headJoints: z.array(z.number()).length(7).readonly(),
  /** Right, left; radians. */
  antennas: z.tuple([z.number(), z.number()]).readonly(),
});

/** Moves that the robot can run. */
export const MoveKind = z.enum(["goto", "wake_up", "goto_sleep", "recorded", "return_to_default"]);
export type MoveKind = z.infer<typeof MoveKind>;

/** What the robot reports 50 times a second. Angles in radians, measured by the servos, not the targets. */
export const RobotState = Joints.extend({
  /** Seconds since the Unix epoch. */
  timestamp: z.number(),
  phase: RobotPhase,
  motorMode: MotorMode,
  /** False from the end of a goto_sleep (or from the start, when the daemon does not wake it) until a wake_up. */
  awake: z.boolean(),
  /** From forward kinematics of the measured joints, world frame. */
  headPose: MeasuredPose,
  /** The targets that were sent to the servos after all limits, in the same units; null while the motors are off. */
  sent: Joints.readonly().nullable(),
  /** Null for a robot without an inertial sensor. */
  imu: InertialReading.nullable(),
  /** The running move. */
  move: z.object({ id: z.string(), kind: MoveKind }).readonly().nullable(),
  loop: z
    .object({
      frequencyHz: z.number(),
      periodP50Ms: z.number(),
      periodP99Ms: z.number(),
      missed: z.int(),
      busErrors: z.int(),
    })
    .readonly(),
  /** A sentence for people, or null. */
  error: z.string().nullable(),
}).readonly();
export type RobotState = z.infer<typeof RobotState>;
