import type { Response } from "express";
import { z } from "zod";
import { DaemonStatus } from "../../../robot/wire/daemon-status.ts";
import type { Robot } from "../../robot-client/robot.ts";
import { defineRoute, type Route } from "../rest/route.ts";
import { type DaemonInfo, daemonStatus } from "../sockets/sdk/daemon-status.ts";
import type { MediaLease } from "../sockets/sdk/media-lease.ts";

/** Stops or restarts the daemon; called after the response has been sent. */
export type StopOrRestart = (kind: "stop" | "restart") => void;

const State = z.object({ state: z.string() });

/** Routes for the daemon itself. */
export function daemonRoutes(
  robot: Robot,
  facts: DaemonInfo,
  stopOrRestart: StopOrRestart,
  media: MediaLease,
): Route[] {
  const endAfterResponse = (kind: "stop" | "restart", response: Response) => {
    response.once("close", () => stopOrRestart(kind));
    return { state: kind === "stop" ? "stopping" : "restarting" };
  };
  return [
    defineRoute({
      method: "get",
      path: "/api/daemon/status",
      summary: "The daemon's version, state and error",
      tag: "daemon",
      result: DaemonStatus,
      errors: [],
      handle: () => {
        return daemonStatus(robot, facts, media.isReleased);
      },
    }),
    defineRoute({
      method: "post",
      path: "/api/daemon/start",
      summary: "Does nothing, because the daemon is running (kept for clients of the public daemon)",
      tag: "daemon",
      result: State,
      errors: [],
      handle: () => ({ state: robot.state.phase }),
    }),
    defineRoute({
      method: "post",
      path: "/api/daemon/restart",
      summary: "Stop the app, put the robot to sleep, and restart on the same port with a new robot process",
      tag: "daemon",
      result: State,
      errors: [],
      handle: ({ response }) => endAfterResponse("restart", response),
    }),
    defineRoute({
      method: "post",
      path: "/api/daemon/stop",
      summary: "Stop the app, put the robot to sleep, and exit",
      tag: "daemon",
      result: State,
      errors: [],
      handle: ({ response }) => endAfterResponse("stop", response),
    }),
    defineRoute({
      method: "get",
      path: "/healthz",
      summary: "Answers when the daemon serves requests",
      tag: "daemon",
      result: z.object({ status: z.literal("ok") }),
      errors: [],
      handle: () => ({ status: "ok" }),
    }),
  ];
}
