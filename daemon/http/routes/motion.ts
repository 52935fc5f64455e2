import { z } from "zod";
import { poseFromRpy } from "../../../robot/kinematics/pose.ts";
import { foreseeClip } from "../../../robot/motion/foresee.ts";
import { WorkbenchError } from "../../../robot/wire/errors.ts";
import { Angle, durationUpTo, Matrix16 } from "../../../robot/wire/quantities.ts";
import { read } from "../../../robot/wire/read.ts";
import { Antennas, Interpolation, MotorMode, XyzRpy } from "../../../robot/wire/robot.ts";
import type { MoveOutcome, Robot } from "../../control/robot.ts";
import { type Route, route } from "../route.ts";

const HeadPose = z
  .union([XyzRpy, Matrix16])
  .describe("Head pose: x, y, z in metres with roll, pitch, yaw in radians, or 16 numbers of a row-major 4x4 matrix");

const Target = z.object({
  head_pose: HeadPose.nullish(),
  antennas: Antennas.nullish().describe("Right and left antenna, radians"),
  body_yaw: Angle.nullish().describe("Radians"),
});

const Goto = Target.extend({
  duration: durationUpTo(60).default(1).describe("Seconds, above 0 and at most 60"),
  interpolation: Interpolation.default("minjerk"),
});

const MoveId = z.object({ uuid: z.string() });

const Clipped = z.object({
  clipped: z
    .string()
    .nullable()
    .describe("Why the robot goes elsewhere than asked, for example to the nearest pose that it can reach"),
});

function targetOf({ head_pose, antennas, body_yaw }: z.output<typeof Target>) {
  const head =
    head_pose == null
      ? null
      : Array.isArray(head_pose)
        ? head_pose
        : [...poseFromRpy([head_pose.x, head_pose.y, head_pose.z], head_pose)];
  return { head, antennas: antennas ?? null, bodyYaw: body_yaw ?? null };
}

/** Throws `target-refused` for what is no posture at all. */
function clippedAt({ state }: Robot, { head, antennas, bodyYaw }: ReturnType<typeof targetOf>): string | null {
  // A head that the target leaves out stays where it is, so there is nothing to tell of it.
  const still = poseFromRpy([0, 0, 0], { roll: 0, pitch: 0, yaw: bodyYaw ?? 0 });
  const asked = {
    head: head ?? still,
    antennas: antennas ?? ([0, 0] as const),
    bodyYaw: bodyYaw ?? (head === null ? 0 : null),
    automaticBodyYaw: true,
  };
  return foreseeClip(asked, [...state.headJoints, ...state.antennas]) ?? null;
}

/** Targets, moves and motor modes. `newId` names a move. A failed move is told through `reportFailure`. */
export function motionRoutes(robot: Robot, newId: () => string, reportFailure: (error: unknown) => void): Route[] {
  /** Answers with the move's id once it has begun; a refusal that comes at once is the answer instead. */
  const begin = async (move: (id: string) => Promise<MoveOutcome>): Promise<{ uuid: string }> => {
    const uuid = newId();
    const ended = move(uuid);
    const begun = new Promise<void>((resolve) => {
      const stop = robot.onEvent((event) => {
        if (event.kind === "move_started" && event.data.id === uuid) {
          stop();
          resolve();
        }
      });
      ended.then(stop, stop);
    });
    await Promise.race([begun, ended]);
    ended.catch(reportFailure);
    return { uuid };
  };

  const refusals = ["robot-not-ready", "robot-fault", "motors-off", "target-refused"] as const;
  return [
    route({
      method: "post",
      path: "/api/move/goto",
      summary: "Move smoothly to a target; supersedes a running move",
      tag: "motion",
      body: Goto,
      result: MoveId.extend(Clipped.shape),
      errors: refusals,
      handle: async ({ body }) => {
        const target = targetOf(body);
        const request = { ...target, duration: body.duration, method: body.interpolation };
        return { ...(await begin((id) => robot.goto(request, id))), clipped: clippedAt(robot, target) };
      },
    }),
    route({
      method: "post",
      path: "/api/move/set_target",
      summary: "Set the target at once, for control loops",
      tag: "motion",
      body: Target,
      result: z.object({ status: z.literal("ok") }).extend(Clipped.shape),
      errors: refusals,
      handle: ({ body }) => {
        ready(robot);
        const target = targetOf(body);
        const clipped = clippedAt(robot, target);
        robot.setTarget(target);
        return { status: "ok", clipped };
      },
    }),
    route({
      method: "post",
      path: "/api/move/play/wake_up",
      summary: "Wake the robot: motors on, to the default pose",
      tag: "motion",
      result: MoveId,
      errors: refusals,
      handle: () => begin((id) => robot.wakeUp(id)),
    }),
    route({
      method: "post",
      path: "/api/move/play/goto_sleep",
      summary: "Put the robot to sleep: to the sleep pose, motors off",
      tag: "motion",
      result: MoveId,
      errors: refusals,
      handle: () => begin((id) => robot.goToSleep(id)),
    }),
    route({
      method: "get",
      path: "/api/move/running",
      summary: "The running move, as a list of none or one",
      tag: "motion",
      result: z.array(MoveId),
      errors: [],
      handle: () => (robot.state.move ? [{ uuid: robot.state.move.id }] : []),
    }),
    route({
      method: "post",
      path: "/api/move/stop",
      summary: "End a running move where the robot is",
      tag: "motion",
      body: MoveId,
      result: z.object({ status: z.literal("stopped") }),
      errors: ["move-not-found"],
      handle: async ({ body }) => {
        if (!(await robot.cancelMove(body.uuid)))
          throw new WorkbenchError(
            "move-not-found",
            `No move ${body.uuid} is running; GET /api/move/running lists it.`,
          );
        return { status: "stopped" };
      },
    }),
    route({
      method: "get",
      path: "/api/motors/status",
      summary: "The motor mode",
      tag: "robot",
      result: z.object({ mode: MotorMode }),
      errors: [],
      handle: () => ({ mode: robot.state.motorMode }),
    }),
    route({
      method: "post",
      path: "/api/motors/set_mode/:mode",
      summary: "Switch the motors: enabled, disabled or gravity_compensation",
      tag: "robot",
      result: z.object({ status: z.string() }),
      errors: ["bad-request", "robot-not-ready", "robot-fault"],
      handle: async ({ params }) => {
        const { mode } = read(z.object({ mode: MotorMode }), params, "path");
        await robot.setMotorMode(mode);
        return { status: `motors are ${mode}` };
      },
    }),
  ];
}

function ready(robot: Robot): void {
  const { phase, error } = robot.state;
  if (phase !== "running")
    throw new WorkbenchError("robot-not-ready", error ?? `The robot is ${phase}; try again when it is running.`);
}
