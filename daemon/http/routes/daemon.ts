import type { Response } from "express";
import { z } from "zod";
import { DaemonStatus } from "../../../robot/wire/daemon-status.ts";
import type { Robot } from "../../robot-client/robot.ts";
import { type Route, routesOf } from "../rest/route.ts";
import { type DaemonInfo, daemonStatus, type MediaLease } from "../sockets/sdk/daemon-status.ts";

const { get, post } = routesOf("daemon");

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
    get("/api/daemon/status", {
      summary: "The daemon's version, state and error",
      result: DaemonStatus,
      handle: () => daemonStatus(robot, facts, media.isReleased),
    }),
    post("/api/daemon/start", {
      summary: "Does nothing, because the daemon is running (kept for clients of the public daemon)",
      result: State,
      handle: () => ({ state: robot.state.phase }),
    }),
    post("/api/daemon/restart", {
      summary: "Stop the app, put the robot to sleep, and restart on the same port with a new robot process",
      result: State,
      handle: ({ response }) => endAfterResponse("restart", response),
    }),
    post("/api/daemon/stop", {
      summary: "Stop the app, put the robot to sleep, and exit",
      result: State,
      handle: ({ response }) => endAfterResponse("stop", response),
    }),
    get("/healthz", {
      summary: "Answers when the daemon serves requests",
      result: z.object({ status: z.literal("ok") }),
      handle: () => ({ status: "ok" }),
    }),
  ];
}
