import { z } from "zod";
import { matching } from "../../../robot/wire/app-search.ts";
import { AppCatalogue, AppInfo, AppStatus, AppUpdate } from "../../../robot/wire/apps.ts";
import { Job } from "../../../robot/wire/jobs.ts";
import type { AppHost } from "../../apps/app-host.ts";
import type { Origin } from "../../apps/install/source.ts";
import { type Route, route } from "../route.ts";

const JobId = z.object({ job_id: z.string() });
const StartupApp = z.object({ startup_app: z.string().nullable() });
/** Exactly one of the two; the peer's app-info body (with a `name` beside the `url`) fits as well. */
const Install = z
  .object({
    url: z.string().optional().describe("Address of the app's space: {hub_url}/spaces/USER/APP_NAME"),
    path: z
      .string()
      .regex(/^\//, "the whole path of a folder, for example /home/me/my_app")
      .optional()
      .describe("Folder of the app on the daemon's machine"),
  })
  .refine(({ url, path }) => (url === undefined) !== (path === undefined), {
    error: 'either {"url": "{hub_url}/spaces/USER/APP_NAME"} or {"path": "/folder/of/the/app"}',
  });

const Search = z.object({
  query: z.string().max(200).default("").describe("Words that name, author or text must hold"),
});

/** The apps: which there are, the slot, jobs. */
export function appRoutes(apps: AppHost): Route[] {
  const startErrors = [
    "app-already-running",
    "app-not-found",
    "app-busy",
    "app-start-failed",
    "shutting-down",
  ] as const;
  return [
    route({
      method: "get",
      path: "/api/apps/list",
      summary: "The installed apps",
      tag: "apps",
      result: z.array(AppInfo),
      errors: [],
      handle: () => apps.list(),
    }),
    ...availableRoutes(apps),
    route({
      method: "get",
      path: "/api/apps/catalogue",
      summary: "What the hub offers, how old that is, and whether the hub can be asked",
      tag: "apps",
      query: Search.extend({
        refresh: z.stringbool().default(false).describe("Ask the hub even when it was just asked"),
      }),
      result: AppCatalogue,
      errors: [],
      handle: ({ query }) => apps.catalogue(query.query, query.refresh),
    }),
    route({
      method: "get",
      path: "/api/apps/check-updates",
      summary: "The installed apps whose space has moved on",
      tag: "apps",
      result: z.array(AppUpdate),
      errors: ["hub-unreachable"],
      handle: () => apps.checkUpdates(),
    }),
    route({
      method: "post",
      path: "/api/apps/update/:name",
      summary: "Install an app again from where it came",
      tag: "apps",
      result: JobId,
      errors: ["app-not-found", "bad-request", "address-refused"],
      handle: async ({ params }) => ({ job_id: (await apps.update(params.name ?? "")).job_id }),
    }),
    route({
      method: "post",
      path: "/api/apps/start-app/:name",
      summary: "Start an app in the free slot",
      tag: "apps",
      result: AppStatus,
      errors: startErrors,
      handle: ({ params }) => apps.start(params.name ?? ""),
    }),
    route({
      method: "post",
      path: "/api/apps/stop-current-app",
      summary: "Stop the app; answers when it is gone and the robot is back in its default pose",
      tag: "apps",
      result: AppStatus,
      errors: ["no-app-running"],
      handle: () => apps.stop(),
    }),
    route({
      method: "post",
      path: "/api/apps/restart-current-app",
      summary: "Stop the app and start it again",
      tag: "apps",
      result: AppStatus,
      errors: ["no-app-running", ...startErrors],
      handle: () => apps.restart(),
    }),
    route({
      method: "get",
      path: "/api/apps/current-app-status",
      summary: "The app of the slot, or the last one with how it ended; null before the first",
      tag: "apps",
      result: AppStatus.nullable(),
      errors: [],
      handle: () => apps.status(),
    }),
    route({
      method: "post",
      path: "/api/apps/install",
      summary: "Install or update an app; the answer names the job to follow",
      tag: "apps",
      body: Install,
      result: JobId,
      errors: ["address-refused"],
      handle: ({ body }) => ({ job_id: apps.install(body.url ?? body.path ?? "").job_id }),
    }),
    route({
      method: "post",
      path: "/api/apps/remove/:name",
      summary: "Remove an app",
      tag: "apps",
      result: JobId,
      errors: ["app-not-found", "app-already-running"],
      handle: async ({ params }) => ({ job_id: (await apps.remove(params.name ?? "")).job_id }),
    }),
    route({
      method: "get",
      path: "/api/apps/jobs",
      summary: "All jobs, the newest first",
      tag: "apps",
      result: z.array(Job),
      errors: [],
      handle: () => apps.jobs(),
    }),
    route({
      method: "get",
      path: "/api/apps/job-status/:job_id",
      summary: "One job: stage, percent, log, result",
      tag: "apps",
      result: Job,
      errors: ["job-not-found"],
      handle: ({ params }) => apps.job(params.job_id ?? ""),
    }),
    route({
      method: "post",
      path: "/api/apps/job-cancel/:job_id",
      summary: "End a job and put everything back as it was",
      tag: "apps",
      result: Job,
      errors: ["job-not-found"],
      handle: ({ params }) => apps.cancelJob(params.job_id ?? ""),
    }),
    route({
      method: "get",
      path: "/api/apps/startup-app",
      summary: "The app that starts after wake-up and on an antenna touch",
      tag: "apps",
      result: StartupApp,
      errors: [],
      handle: () => ({ startup_app: apps.startupApp() }),
    }),
    route({
      method: "put",
      path: "/api/apps/startup-app",
      summary: "Choose the startup app, or none with null",
      tag: "apps",
      body: StartupApp,
      result: StartupApp,
      errors: ["app-not-found", "hub-unreachable"],
      handle: async ({ body }) => {
        await apps.setStartupApp(body.startup_app);
        return { startup_app: apps.startupApp() };
      },
    }),
  ];
}

/** The peer's lists of apps, by where they come from; without a kind, what is installed and what the hub offers. */
function availableRoutes(apps: AppHost): Route[] {
  const offered = async (query: string) => (await apps.catalogue(query)).apps;
  const local = async () => (await apps.list()).filter(({ extra }) => (extra.origin as Origin)?.kind !== "hf_space");
  const lists = [
    {
      at: "",
      summary: "The installed apps, then those that the hub offers",
      list: async (query: string) => [...matching(await apps.list(), query), ...(await offered(query))],
    },
    {
      at: "/installed",
      summary: "The installed apps",
      list: async (query: string) => matching(await apps.list(), query),
    },
    {
      at: "/hf_space",
      summary: "The apps that the hub offers; /api/apps/catalogue says how old the list is",
      list: offered,
    },
    {
      at: "/local",
      summary: "The installed apps that come from this machine",
      list: async (query: string) => matching(await local(), query),
    },
  ];
  return lists.map(({ at, summary, list }) =>
    route({
      method: "get",
      path: `/api/apps/list-available${at}`,
      summary,
      tag: "apps",
      query: Search,
      result: z.array(AppInfo),
      errors: [],
      handle: ({ query }) => list(query.query),
    }),
  );
}
