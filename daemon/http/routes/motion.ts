import { z } from "zod";
import { poseFromRpy } from "../../../robot/kinematics/pose.ts";
import { WorkbenchError } from "../../../robot/wire/errors.ts";
import { Antennas, Interpolation, Matrix16, MotorMode, XyzRpy } from "../../../robot/wire/robot.ts";
import type { MoveOutcome, Robot } from "../../control/robot.ts";
import { type Route, route } from "../route.ts";

const HeadPose = z
  .union([XyzRpy, Matrix16])
  .describe("Head pose: x, y, z in metres with roll, pitch, yaw in radians, or 16 numbers of a row-major 4x4 matrix");

const Target = z.object({
  head_pose: HeadPose.nullish(),
  antennas: Antennas.nullish().describe("Right and left antenna, radians"),
  body_yaw: z.number().nullish().describe("Radians"),
});

const Goto = Target.extend({
  duration: z.number().positive().max(60).default(1).describe("Seconds, above 0 and at most 60"),
  interpolation: Interpolation.default("minjerk"),
});

const MoveId = z.object({ uuid: z.string() });

function targetOf({ head_pose, antennas, body_yaw }: z.output<typeof Target>) {
  const head =
    head_pose == null
      ? null
      : Array.isArray(head_pose)
        ? head_pose
        : [...poseFromRpy([head_pose.x, head_pose.y, head_pose.z], head_pose)];
  return { head, antennas: antennas ?? null, bodyYaw: body_yaw ?? null };
}

/** Targets, moves and motor modes. `newId` names a move. A failed move is told through `reportFailure`. */
export function motionRoutes(robot: Robot, newId: () => string, reportFailure: (error: unknown) => void): Route[] {
  /** Answers with the move's id once it has begun; a refusal that comes at once is the answer instead. */
  const begin = async (move: (id: string) => Promise<MoveOutcome>): Promise<{ uuid: string }> => {
    ready(robot);
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

  const refusals = ["robot-not-ready", "motors-off", "target-refused"] as const;
  return [
    route({
      method: "post",
      path: "/api/move/goto",
      summary: "Move smoothly to a target; supersedes a running move",
      tag: "motion",
      body: Goto,
      result: MoveId,
      errors: refusals,
      handle: ({ body }) =>
        begin((id) => robot.goto({ ...targetOf(body), duration: body.duration, method: body.interpolation }, id)),
    }),
    route({
      method: "post",
      path: "/api/move/set_target",
      summary: "Set the target at once, for control loops",
      tag: "motion",
      body: Target,
      result: z.object({ status: z.literal("ok") }),
      errors: refusals,
      handle: ({ body }) => {
        ready(robot);
        robot.setTarget(targetOf(body));
        return { status: "ok" };
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
      errors: ["bad-request", "robot-not-ready"],
      handle: async ({ params }) => {
        const mode = MotorMode.safeParse(params.mode);
        if (!mode.success)
          throw new WorkbenchError(
            "bad-request",
            `mode is ${params.mode}; it must be ${MotorMode.options.join(", ")}.`,
          );
        ready(robot);
        await robot.setMotorMode(mode.data);
        return { status: `motors are ${mode.data}` };
      },
    }),
  ];
}

function ready(robot: Robot): void {
  const { phase, error } = robot.state;
  if (phase !== "running")
    throw new WorkbenchError("robot-not-ready", error ?? `The robot is ${phase}; try again when it is running.`);
}
