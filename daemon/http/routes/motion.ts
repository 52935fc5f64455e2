import { z } from "zod";
import { poseFromRpy } from "../../../robot/kinematics/pose.ts";
import { previewClip } from "../../../robot/motion/limits/preview-clip.ts";
import { WorkbenchError } from "../../../robot/wire/errors.ts";
import { durationUpTo } from "../../../robot/wire/quantities.ts";
import { Interpolation, MotorMode } from "../../../robot/wire/robot/robot-fields.ts";
import type { MoveOutcome } from "../../../robot/wire/robot/target.ts";
import { parseOrThrow } from "../../../robot/wire/validation/parse-or-throw.ts";
import type { Robot } from "../../robot-client/robot.ts";
import { type Route, routesOf } from "../rest/route.ts";
import { SetTargetBody, TargetBody, targetOf } from "./target-body.ts";

const motionSection = routesOf("motion");
const robotSection = routesOf("robot");

const Goto = TargetBody.extend({
  duration: durationUpTo(60).default(1).describe("Seconds, above 0 and at most 60"),
  interpolation: Interpolation.default("minjerk"),
  relative: z
    .boolean()
    .default(false)
    .describe("Whether the target is an offset from where the robot was sent last, in the world frame"),
});

const MoveId = z.object({ uuid: z.string() });

const Clipped = z.object({
  clipped: z
    .string()
    .nullable()
    .describe(
      "Why the robot moves to another target than requested, for example to the nearest reachable pose; null when it does not, and for a relative target, of which the event target_clipped tells",
    ),
});

/**
 * Returns why the target will be clipped, or null.
 * @throws WorkbenchError `target-refused` for a target that no limit can turn into a pose
 */
function clipReason({ state }: Robot, { head, antennas, bodyYaw }: ReturnType<typeof targetOf>): string | null {
  // A target without a head pose keeps the head where it is, which clips nothing.
  const unchangedHead = poseFromRpy([0, 0, 0], { roll: 0, pitch: 0, yaw: bodyYaw ?? 0 });
  const requested = {
    head: head ?? unchangedHead,
    antennas: antennas ?? ([0, 0] as const),
    bodyYaw: bodyYaw ?? (head === null ? 0 : null),
    automaticBodyYaw: true,
  };
  return previewClip(requested, [...state.headJoints, ...state.antennas]) ?? null;
}

/** Starts a move; resolves with its id when it has started, and rejects when it is refused. */
export type StartMove = (move: (id: string) => Promise<MoveOutcome>) => Promise<{ uuid: string }>;

/**
 * Makes the function that starts moves for routes.
 * @param newId makes the id of a move
 * @param reportFailure gets the error of a move that failed after its response was sent
 */
export function moveStarter(robot: Robot, newId: () => string, reportFailure: (error: unknown) => void): StartMove {
  return async (move) => {
    const uuid = newId();
    const ended = move(uuid);
    const started = new Promise<void>((resolve) => {
      const unsubscribe = robot.onEvent((event) => {
        if (event.kind === "move_started" && event.data.id === uuid) {
          unsubscribe();
          resolve();
        }
      });
      ended.then(unsubscribe, unsubscribe);
    });
    await Promise.race([started, ended]);
    ended.catch(reportFailure);
    return { uuid };
  };
}

/** Routes for targets, moves and motor modes. */
export function motionRoutes(robot: Robot, startMove: StartMove, stopAppAndSleep: Robot["goToSleep"]): Route[] {
  const refusals = ["robot-not-ready", "robot-fault", "motors-off", "target-refused"] as const;
  return [
    motionSection.post("/api/move/goto", {
      summary: "Move smoothly to a target; replaces a running move",
      body: Goto,
      result: MoveId.extend(Clipped.shape),
      errors: refusals,
      handle: async ({ body }) => {
        const target = targetOf(body);
        const { duration, interpolation: method, relative } = body;
        const started = await startMove((id) => robot.goto({ ...target, duration, method, relative }, id));
        return { ...started, clipped: relative ? null : clipReason(robot, target) };
      },
    }),
    motionSection.post("/api/move/set_target", {
      summary: "Set the target of the control loop",
      body: SetTargetBody,
      result: z.object({ status: z.literal("ok") }).extend(Clipped.shape),
      errors: refusals,
      handle: async ({ body }) => {
        const target = targetOf(body);
        const clipped = clipReason(robot, target);
        await robot.setTarget(target);
        return { status: "ok", clipped };
      },
    }),
    motionSection.post("/api/move/play/wake_up", {
      summary: "Wake the robot up: motors on, move to the default pose",
      result: MoveId,
      errors: refusals,
      handle: () => startMove((id) => robot.wakeUp(id)),
    }),
    motionSection.post("/api/move/play/goto_sleep", {
      summary: "Put the robot to sleep: stop the app that runs, move to the sleep pose, motors off",
      result: MoveId,
      errors: refusals,
      handle: () => startMove(stopAppAndSleep),
    }),
    motionSection.get("/api/move/running", {
      summary: "The running move, as a list with at most one entry",
      result: z.array(MoveId),
      handle: () => (robot.state.move ? [{ uuid: robot.state.move.id }] : []),
    }),
    motionSection.post("/api/move/stop", {
      summary: "Cancel the running move; the robot stays where it is",
      body: MoveId,
      result: z.object({ status: z.literal("stopped") }),
      errors: ["move-not-found"],
      handle: async ({ body }) => {
        if (!(await robot.cancelMove(body.uuid)))
          throw new WorkbenchError(
            "move-not-found",
            `No move ${body.uuid} is running; GET /api/move/running names the running move.`,
          );
        return { status: "stopped" };
      },
    }),
    robotSection.get("/api/motors/status", {
      summary: "The motor mode",
      result: z.object({ mode: MotorMode }),
      handle: () => ({ mode: robot.state.motorMode }),
    }),
    robotSection.post("/api/motors/set_mode/:mode", {
      summary: "Set the motor mode: enabled, disabled or gravity_compensation",
      result: z.object({ status: z.string() }),
      errors: ["bad-request", "robot-not-ready", "robot-fault"],
      handle: async ({ params }) => {
        const { mode } = parseOrThrow(z.object({ mode: MotorMode }), params, "path");
        await robot.setMotorMode(mode);
        return { status: `motors are ${mode}` };
      },
    }),
  ];
}
