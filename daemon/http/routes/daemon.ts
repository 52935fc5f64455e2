import { z } from "zod";
import type { Robot } from "../../control/robot.ts";
import { type Route, route } from "../route.ts";
import { type DaemonFacts, daemonStatus } from "../sdk-status.ts";

/** The daemon itself. */
export function daemonRoutes(robot: Robot, facts: DaemonFacts): Route[] {
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
