import { z } from "zod";
import { AppDetails } from "../../../robot/wire/apps/app-details.ts";
import type { AppHost } from "../../apps/app-host.ts";
import { SettingChanges } from "../../apps/details/app-settings.ts";
import { defineRoute, type Route } from "../rest/route.ts";

/** What a person wants to know of one app, its data, and whether it is started again. */
export const appDetailsRoutes = (apps: AppHost): Route[] => [
  defineRoute({
    method: "get",
    path: "/api/apps/details/:name",
    summary: "README, sizes, what the code of an installed app uses, and whether it is started again after a crash",
    tag: "apps",
    result: AppDetails,
    errors: ["app-not-found"],
    handle: ({ params }) => apps.details.read(params.name ?? ""),
  }),
  defineRoute({
    method: "post",
    path: "/api/apps/reset-data/:name",
    summary: "Delete the files that an app wrote into its working folder; it must not run",
    tag: "apps",
    result: AppDetails,
    errors: ["app-not-found", "app-already-running"],
    handle: async ({ params: { name = "" } }) => {
      await apps.details.resetData(name);
      return apps.details.read(name);
    },
  }),
  defineRoute({
    method: "put",
    path: "/api/apps/settings/:name",
    summary: "Set what an app declares in its robot_settings.json, also while it is stopped; null for the default",
    tag: "apps",
    body: z.object({ settings: SettingChanges }),
    result: AppDetails,
    errors: ["app-not-found", "app-invalid", "disk-full"],
    handle: async ({ params: { name = "" }, body }) => {
      await apps.details.changeSettings(name, body.settings);
      return apps.details.read(name);
    },
  }),
  defineRoute({
    method: "put",
    path: "/api/apps/restart-after-crash/:name",
    summary: "Choose whether an app that fails is started again, three times at most",
    tag: "apps",
    body: z.object({ restart_after_crash: z.boolean() }),
    result: AppDetails,
    errors: ["app-not-found", "disk-full"],
    handle: async ({ params: { name = "" }, body }) => {
      await apps.details.chooseRestart(name, body.restart_after_crash);
      return apps.details.read(name);
    },
  }),
];
