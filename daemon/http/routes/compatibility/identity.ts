import { z } from "zod";
import type { AppHost } from "../../../apps/app-host.ts";
import { type Route, routesOf } from "../../rest/route.ts";
import type { DaemonInfo } from "../../sockets/sdk/daemon-status.ts";

const daemonSection = routesOf("daemon");
const appsSection = routesOf("apps");

const BUSY = ["starting", "running", "stopping"];
/** Characters. */
const MAX_TOKEN = 500;
const LOGIN_MS = 30_000;

/** Routes of the public daemon that say who the robot is and who uses it. */
export function identityRoutes(apps: AppHost, info: DaemonInfo): Route[] {
  return [
    ...[daemonSection.get, daemonSection.post].map((declare) =>
      declare("/health-check", {
        summary: "Answers when the daemon serves requests",
        result: z.object({ status: z.literal("ok") }),
        handle: () => ({ status: "ok" }),
      }),
    ),
    daemonSection.get("/api/daemon/robot-name", {
      summary: "The robot's name",
      result: z.object({ name: z.string() }),
      handle: () => ({ name: info.robotName }),
    }),
    daemonSection.get("/api/daemon/hardware-id", {
      summary: "The serial number of the robot; null for a simulated one",
      result: z.object({ hardware_id: z.null() }),
      handle: () => ({ hardware_id: null }),
    }),
    daemonSection.get("/api/daemon/robot-app-lock-status", {
      summary: "Which app has the robot",
      result: z.object({ state: z.enum(["free", "local_app"]), holder_name: z.string().nullable() }),
      handle: () => {
        const status = apps.slot.status();
        const isBusy = status !== null && BUSY.includes(status.state);
        return isBusy ? { state: "local_app", holder_name: status.info.name } : { state: "free", holder_name: null };
      },
    }),
    appsSection.get("/api/hf-auth/status", {
      summary: "Whether the daemon has a token for the hub",
      result: z.object({ is_logged_in: z.boolean(), username: z.string().nullable() }),
      handle: () => ({ is_logged_in: apps.hub.hasToken, username: apps.hub.user }),
    }),
    appsSection.post("/api/hf-auth/save-token", {
      summary: "Log in to the hub with a token, until the daemon ends; no route shows it",
      body: z.object({ token: z.string().trim().min(1).max(MAX_TOKEN) }),
      result: z.object({ status: z.literal("success"), username: z.string(), message: z.null() }),
      errors: ["hub-token", "hub-unreachable"],
      handle: async ({ body }) => {
        const username = await apps.hub.logIn(body.token, AbortSignal.timeout(LOGIN_MS));
        return { status: "success", username, message: null };
      },
    }),
    appsSection.delete("/api/hf-auth/token", {
      summary: "Log out of the hub",
      result: z.object({ status: z.literal("success") }),
      handle: () => {
        apps.hub.logOut();
        return { status: "success" };
      },
    }),
  ];
}
