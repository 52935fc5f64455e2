import { z } from "zod";
import type { AppHost } from "../../../apps/app-host.ts";
import { defineRoute, type Route } from "../../rest/route.ts";
import type { DaemonInfo } from "../../sockets/sdk/daemon-status.ts";

const BUSY = ["starting", "running", "stopping"];
/** Characters. */
const MAX_TOKEN = 500;
const LOGIN_MS = 30_000;
const RobotName = z.object({ name: z.string() });

/** Routes of the public daemon that say who the robot is and who uses it. */
export function identityRoutes(apps: AppHost, info: DaemonInfo): Route[] {
  return [
    ...(["get", "post"] as const).map((method) =>
      defineRoute({
        method,
        path: "/health-check",
        summary: "Answers when the daemon serves requests",
        tag: "daemon",
        result: z.object({ status: z.literal("ok") }),
        errors: [],
        handle: () => ({ status: "ok" }),
      }),
    ),
    defineRoute({
      method: "get",
      path: "/api/daemon/robot-name",
      summary: "The robot's name",
      tag: "daemon",
      result: RobotName,
      errors: [],
      handle: () => ({ name: info.robotName }),
    }),
    defineRoute({
      method: "get",
      path: "/api/daemon/hardware-id",
      summary: "The serial number of the robot; null for a simulated one",
      tag: "daemon",
      result: z.object({ hardware_id: z.null() }),
      errors: [],
      handle: () => ({ hardware_id: null }),
    }),
    defineRoute({
      method: "get",
      path: "/api/daemon/robot-app-lock-status",
      summary: "Which app has the robot",
      tag: "daemon",
      result: z.object({ state: z.enum(["free", "local_app"]), holder_name: z.string().nullable() }),
      errors: [],
      handle: () => {
        const status = apps.slot.status();
        const isBusy = status !== null && BUSY.includes(status.state);
        return isBusy ? { state: "local_app", holder_name: status.info.name } : { state: "free", holder_name: null };
      },
    }),
    defineRoute({
      method: "get",
      path: "/api/hf-auth/status",
      summary: "Whether the daemon has a token for the hub",
      tag: "apps",
      result: z.object({ is_logged_in: z.boolean(), username: z.string().nullable() }),
      errors: [],
      handle: () => ({ is_logged_in: apps.hub.hasToken, username: apps.hub.user }),
    }),
    defineRoute({
      method: "post",
      path: "/api/hf-auth/save-token",
      summary: "Log in to the hub with a token, until the daemon ends; no route shows it",
      tag: "apps",
      body: z.object({ token: z.string().trim().min(1).max(MAX_TOKEN) }),
      result: z.object({ status: z.literal("success"), username: z.string(), message: z.null() }),
      errors: ["hub-token", "hub-unreachable"],
      handle: async ({ body }) => {
        const username = await apps.hub.logIn(body.token, AbortSignal.timeout(LOGIN_MS));
        return { status: "success", username, message: null };
      },
    }),
    defineRoute({
      method: "delete",
      path: "/api/hf-auth/token",
      summary: "Log out of the hub",
      tag: "apps",
      result: z.object({ status: z.literal("success") }),
      errors: [],
      handle: () => {
        apps.hub.logOut();
        return { status: "success" };
      },
    }),
  ];
}
