import { z } from "zod";
import { AppDetails } from "../../../robot/wire/apps/app-details.ts";
import type { AppHost } from "../../apps/app-host.ts";
import { SettingChanges } from "../../apps/details/app-settings.ts";
import { type Route, routesOf } from "../rest/route.ts";

const { get, post, put } = routesOf("apps");

/** What a person wants to know of one app, its data, and whether it is started again. */
export const appDetailsRoutes = (apps: AppHost): Route[] => [
  get("/api/apps/details/:name", {
    summary: "README, sizes, what the code of an installed app uses, and whether it is started again after a crash",
    result: AppDetails,
    errors: ["app-not-found"],
    handle: ({ params }) => apps.details.read(params.name ?? ""),
  }),
  post("/api/apps/reset-data/:name", {
    summary: "Delete the files that an app wrote into its working folder; it must not run",
    result: AppDetails,
    errors: ["app-not-found", "app-already-running", "app-busy"],
    handle: async ({ params: { name = "" } }) => {
      await apps.details.resetData(name);
      return apps.details.read(name);
    },
  }),
  put("/api/apps/settings/:name", {
    summary: "Set what an app declares in its robot_settings.json, also while it is stopped; null for the default",
    body: z.object({ settings: SettingChanges }),
    result: AppDetails,
    errors: ["app-not-found", "app-invalid", "disk-full"],
    handle: async ({ params: { name = "" }, body }) => {
      await apps.details.changeSettings(name, body.settings);
      return apps.details.read(name);
    },
  }),
  put("/api/apps/restart-after-crash/:name", {
    summary: "Choose whether an app that fails is started again, three times at most",
    body: z.object({ restart_after_crash: z.boolean() }),
    result: AppDetails,
    errors: ["app-not-found", "disk-full"],
    handle: async ({ params: { name = "" }, body }) => {
      await apps.details.chooseRestart(name, body.restart_after_crash);
      return apps.details.read(name);
    },
  }),
];
