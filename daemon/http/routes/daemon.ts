import type { Response } from "express";
import { z } from "zod";
import type { Robot } from "../../control/robot.ts";
import { type Route, route } from "../route.ts";
import { type DaemonFacts, daemonStatus } from "../sdk-status.ts";

/** What can be asked of the program around the daemon, after the answer has left. */
export type EndDaemon = (how: "stop" | "restart") => void;

const State = z.object({ state: z.string() });

/** The daemon itself. */
export function daemonRoutes(robot: Robot, facts: DaemonFacts, end: EndDaemon): Route[] {
  const ending = (how: "stop" | "restart", response: Response) => {
    response.once("close", () => end(how));
    return { state: how === "stop" ? "stopping" : "restarting" };
  };
  return [
    route({
      method: "get",
      path: "/api/daemon/status",
      summary: "Who this is and how it is doing",
      tag: "daemon",
      result: z.looseObject({ state: z.string(), version: z.string(), error: z.string().nullable() }),
      errors: [],
      handle: () => {
        const { type: _, ...status } = daemonStatus(robot, facts);
        return status;
      },
    }),
    route({
      method: "post",
      path: "/api/daemon/start",
      summary: "Nothing to do: a daemon that answers runs already (the peer's name)",
      tag: "daemon",
      result: State,
      errors: [],
      handle: () => ({ state: robot.state.phase }),
    }),
    route({
      method: "post",
      path: "/api/daemon/restart",
      summary: "End the app, lay the robot to rest and begin anew on the same port, with a new robot process",
      tag: "daemon",
      result: State,
      errors: [],
      handle: ({ response }) => ending("restart", response),
    }),
    route({
      method: "post",
      path: "/api/daemon/stop",
      summary: "End the app, lay the robot to rest and end the program",
      tag: "daemon",
      result: State,
      errors: [],
      handle: ({ response }) => ending("stop", response),
    }),
    route({
      method: "get",
      path: "/healthz",
      summary: "Answers as soon as the daemon serves requests",
      tag: "daemon",
      result: z.object({ status: z.literal("ok") }),
      errors: [],
      handle: () => ({ status: "ok" }),
    }),
  ];
}
