import { z } from "zod";
import { nearestRigid } from "../../kinematics/rigid.ts";
import { Angle, durationUpTo, Matrix16 } from "../quantities.ts";
import type { InertialReading } from "./inertial-reading.ts";
import { Interpolation, MotorMode } from "./robot-fields.ts";
import { MAX_GOTO_SECONDS } from "./target.ts";

/*
 * The JSON messages of the SDK socket `/ws/sdk`, one object a WebSocket text message. Names and shapes are those of
 * the public peer (1.10), so that its client works with this robot unchanged; `uuid` on wake_up and goto_sleep is ours:
 * with it the daemon answers with a `task_progress` when the move has ended.
 */
const finite = z.number();

/** The quantities of a message, as strictly as its sender is held to them. */
interface Quantities {
  angle: z.ZodType<number>;
  /** 4x4, row-major, metres. */
  pose: z.ZodType<number[]>;
  /** Seconds. */
  duration: z.ZodType<number>;
}

/** Numbers or rows of numbers, at most as many as a pose has, since recordings are kept in memory. */
const Numbers = z.array(z.union([finite, z.array(finite).max(4)])).max(16);

const Record = z.object({
  time: finite,
  body_yaw: finite.nullish(),
  head: Numbers.nullish(),
  antennas: Numbers.nullish(),
});

function messagesWith({ angle, pose, duration }: Quantities) {
  const antennas = z.tuple([angle, angle]);
  const target = { head: pose.nullish(), antennas: antennas.nullish(), body_yaw: angle.nullish() };
  const method = Interpolation.default("minjerk");
  const task = z.object({ ...target, duration, method, relative: z.boolean().optional() });
  return [
    z.object({ type: z.literal("set_full_target"), ...target }),
    z.object({ type: z.literal("set_target"), head: pose }),
    z.object({ type: z.literal("set_antennas"), antennas }),
    z.object({ type: z.literal("set_body_yaw"), body_yaw: angle }),
    z.object({
      type: z.literal("set_head_joints"),
      joints: z.tuple([angle, angle, angle, angle, angle, angle, angle]),
    }),
    z.object({ type: z.literal("set_torque"), on: z.boolean(), ids: z.array(z.string()).nullish() }),
    z.object({ type: z.literal("set_motor_mode"), mode: MotorMode }),
    z.object({ type: z.literal("set_gravity_compensation"), enabled: z.boolean() }),
    z.object({ type: z.literal("set_automatic_body_yaw"), enabled: z.boolean() }),
    z.object({ type: z.literal("wake_up"), uuid: z.string().optional() }),
    z.object({ type: z.literal("goto_sleep"), uuid: z.string().optional() }),
    z.object({ type: z.literal("start_recording") }),
    z.object({ type: z.literal("append_record"), record: Record }),
    z.object({ type: z.literal("stop_recording") }),
    z.object({ type: z.literal("task"), uuid: z.string(), req: task, timestamp: z.string().optional() }),
  ] as const;
}

/** A message from an app or another client. */
export const ClientMessage = z.discriminatedUnion(
  "type",
  messagesWith({ angle: Angle, pose: Matrix16, duration: durationUpTo(60) }),
);
export type ClientMessage = z.infer<typeof ClientMessage>;

/** An angle of the public protocol: one beyond a whole turn is cut to a whole turn, so that the joint's limit is reported. */
const PublicAngle = z.number().transform((angle) => Math.max(-2 * Math.PI, Math.min(2 * Math.PI, angle)));

/** Metres in x, y, z, then roll, pitch, yaw in radians. */
const Offsets = z.tuple([finite, finite, finite, finite, finite, finite]);

/** A message from a client of the public SDK, which checks its values less and has three more types of messages. */
export const PublicMessage = z.discriminatedUnion("type", [
  ...messagesWith({
    angle: PublicAngle,
    pose: z.array(z.number()).length(16).transform(nearlyRigid),
    duration: durationUpTo(MAX_GOTO_SECONDS),
  }),
  z.object({ type: z.literal("set_speech_offsets"), offsets: Offsets }),
  z.object({ type: z.literal("set_wobbling"), enabled: z.boolean() }),
  z.object({ type: z.literal("set_head_tracking"), enabled: z.boolean(), weight: z.number().default(1) }),
]);
export type PublicMessage = z.infer<typeof PublicMessage>;

/** Whether this daemon knows a type of message; a newer SDK may have others. */
export const isKnownType = (type: unknown): boolean =>
  PublicMessage.options.some((option) => option.shape.type.value === type);

/** A pose that is rigid but for rounding and small errors, made rigid; any other stays as it is. */
function nearlyRigid(m: number[]): number[] {
  return [...(nearestRigid(m) ?? m)];
}

/** A message from the daemon: positions and pose 50 times a second, the status once a second, the rest when it happens. */
export type ServerMessage =
  | {
      type: "joint_positions";
      /** body_yaw, stewart_1 .. stewart_6; radians. */
      head_joint_positions: readonly number[];
      /** Right, left; radians. */
      antennas_joint_positions: readonly [number, number];
    }
  | { type: "head_pose"; head_pose: number[][] }
  /** Of a wireless robot. */
  | ({ type: "imu_data" } & InertialReading)
  | DaemonStatusMessage
  | { type: "task_progress"; uuid: string; finished: true; error: string | null; timestamp: string }
  | { type: "recorded_data"; data: unknown[] }
  /** For robot-sdk only. */
  | { type: "antenna_touched"; antenna: "right" | "left" }
  | { type: "error"; code: string; detail: string };

/** The daemon's status with all fields of the public daemon; also the answer of `GET /api/daemon/status`. */
export interface DaemonStatusMessage {
  type: "daemon_status";
  robot_name: string;
  state: string;
  wireless_version: boolean;
  desktop_app_daemon: boolean;
  simulation_enabled: boolean;
  mockup_sim_enabled: boolean;
  no_media: boolean;
  media_released: boolean;
  camera_specs_name: string;
  backend_status: Record<string, unknown> & { motor_control_mode: MotorMode; error: string | null };
  error: string | null;
  wlan_ip: string | null;
  version: string | null;
  hardware_id: string | null;
  face_target: { detected: boolean; x: null; y: null; roll: null; ts: null };
}
