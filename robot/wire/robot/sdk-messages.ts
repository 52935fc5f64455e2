import { z } from "zod";
import { Angle, durationUpTo, Matrix16 } from "../quantities.ts";
import { Antennas, Interpolation, MotorMode } from "./robot-fields.ts";

/*
 * The JSON messages of the SDK socket `/ws/sdk`, one object a WebSocket text message. Names and shapes are those of
 * the public peer (1.10), so that its client works with this robot unchanged; `uuid` on wake_up and goto_sleep is ours:
 * with it the daemon answers with a `task_progress` when the move has ended.
 */
const finite = z.number();
const optional = <T extends z.ZodType>(schema: T) => schema.nullish();

const GotoTask = z.object({
  head: optional(Matrix16),
  antennas: optional(Antennas),
  duration: durationUpTo(60),
  method: Interpolation.default("minjerk"),
  body_yaw: optional(Angle),
});

/** Numbers or rows of numbers, at most as many as a pose has, since recordings are kept in memory. */
const Numbers = z.array(z.union([finite, z.array(finite).max(4)])).max(16);

const Record = z.object({
  time: finite,
  body_yaw: optional(finite),
  head: optional(Numbers),
  antennas: optional(Numbers),
});

/** A message from an app or another client. */
export const ClientMessage = z.discriminatedUnion("type", [
  z.object({
    type: z.literal("set_full_target"),
    head: optional(Matrix16),
    antennas: optional(Antennas),
    body_yaw: optional(Angle),
  }),
  z.object({ type: z.literal("set_target"), head: Matrix16 }),
  z.object({ type: z.literal("set_antennas"), antennas: Antennas }),
  z.object({ type: z.literal("set_body_yaw"), body_yaw: Angle }),
  z.object({
    type: z.literal("set_head_joints"),
    joints: z.tuple([Angle, Angle, Angle, Angle, Angle, Angle, Angle]),
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
  z.object({ type: z.literal("task"), uuid: z.string(), req: GotoTask, timestamp: z.string().optional() }),
]);
export type ClientMessage = z.infer<typeof ClientMessage>;

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
  | DaemonStatus
  | { type: "task_progress"; uuid: string; finished: true; error: string | null; timestamp: string }
  | { type: "recorded_data"; data: unknown[] }
  /** For robot-sdk only. */
  | { type: "antenna_touched"; antenna: "right" | "left" }
  | { type: "error"; code: string; detail: string };

export interface DaemonStatus {
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
