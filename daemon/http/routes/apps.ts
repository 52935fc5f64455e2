import { z } from "zod";
import { DIALECT_IDS } from "../../../robot/dialects/dialects.ts";
import { searchApps } from "../../../robot/wire/apps/app-search.ts";
import { AppCatalogue, AppInfo, AppStatus, AppUpdate } from "../../../robot/wire/apps/app-status.ts";
import { linesAfter } from "../../../robot/wire/apps/job-log.ts";
import { Job } from "../../../robot/wire/apps/jobs.ts";
import { countIn } from "../../../robot/wire/quantities.ts";
import type { AppHost } from "../../apps/app-host.ts";
import { type Route, routesOf } from "../rest/route.ts";

const { get, post, put } = routesOf("apps");

/** Characters of an address, and of a path. */
const [MAX_ADDRESS, MAX_PATH] = [2000, 4096];

const JobId = z.object({ job_id: z.string() });
const StartupApp = z.object({ startup_app: z.string().max(MAX_ADDRESS).nullable() });
/** Exactly one of the two. The public daemon's body, which has a `name` beside the `url`, is accepted, too. */
const Install = z
  .object({
    url: z.string().max(MAX_ADDRESS).optional().describe("Address of the app's space: {hub_url}/spaces/USER/APP_NAME"),
    path: z
      .string()
      .max(MAX_PATH)
      .regex(/^\//, "an absolute path, for example /home/me/my_app")
      .optional()
      .describe("Folder of the app on the daemon's machine"),
    editable: z
      .boolean()
      .default(false)
      .describe("Run the app from its folder, so that a restart runs its changes; for a path only"),
    isolated: z
      .boolean()
      .optional()
      .describe("Whether the app gets an environment of its own; without it, an app stays in the one that it is in"),
  })
  .refine(({ url, path }) => (url === undefined) !== (path === undefined), {
    error: 'either {"url": "{hub_url}/spaces/USER/APP_NAME"} or {"path": "/folder/of/the/app"}',
  })
  .refine(({ path, editable }) => !editable || path !== undefined, { error: "a path, to be editable" });

const JobLog = z.object({
  after: countIn(0, 999_999_999)
    .default(0)
    .describe("How many lines of the log to leave out, counted from its first one: log_lines of the answer before"),
});

const Search = z.object({
  query: z.string().max(200).default("").describe("Words that name, author or description must contain"),
  dialect: z.enum(DIALECT_IDS).optional().describe("Only apps that are written in this dialect"),
});
type Search = z.output<typeof Search>;

/** The apps that a search wants. */
const select = (apps: readonly AppInfo[], { query, dialect }: Search): AppInfo[] =>
  searchApps(apps, query).filter(({ extra }) => dialect === undefined || extra.dialect === dialect);

/** Routes for apps, the app slot and jobs. */
export function appRoutes(apps: AppHost): Route[] {
  const startErrors = [
    "app-already-running",
    "app-not-found",
    "app-busy",
    "app-start-failed",
    "start-cancelled",
    "shutting-down",
  ] as const;
  return [
    get("/api/apps/list", {
      summary: "The installed apps",
      result: z.array(AppInfo),
      handle: () => listInstalled(apps),
    }),
    ...availableRoutes(apps),
    get("/api/apps/catalogue", {
      summary: "The apps of the hub, the age of the list, and whether the hub can be reached",
      query: Search.extend({
        refresh: z.stringbool().default(false).describe("Ask the hub even when the list is recent"),
      }),
      result: AppCatalogue,
      handle: async ({ query }) => {
        const catalogue = await apps.catalogue.read(query.refresh);
        return { ...catalogue, apps: select(catalogue.apps, query) };
      },
    }),
    get("/api/apps/check-updates", {
      summary: "The installed apps with a newer revision in their space",
      result: z.array(AppUpdate),
      errors: ["hub-token", "hub-unreachable"],
      handle: () => apps.installer.availableUpdates(),
    }),
    post("/api/apps/update/:name", {
      summary: "Update an app from where it was installed",
      result: JobId,
      errors: ["app-not-found", "bad-request", "address-refused", "too-many-requests"],
      handle: async ({ params }) => ({ job_id: (await apps.installer.update(params.name ?? "")).job_id }),
    }),
    post("/api/apps/start-app/:name", {
      summary: "Start an app; answers when its process runs",
      query: z.object({
        replace: z
          .stringbool()
          .default(false)
          .describe("Stop the app that runs first; no other app can be started in between"),
      }),
      result: AppStatus,
      errors: startErrors,
      handle: ({ params, query }) => apps.slot.start(params.name ?? "", query),
    }),
    post("/api/apps/start-app/:name/no-evict", {
      summary: "The same: a start never ends another app",
      result: AppStatus,
      errors: startErrors,
      handle: ({ params }) => apps.slot.start(params.name ?? ""),
    }),
    post("/api/apps/stop-current-app", {
      summary: "Stop the app; answers when it has exited and the robot is in its default pose",
      result: AppStatus,
      errors: ["no-app-running"],
      handle: () => apps.slot.stop(),
    }),
    post("/api/apps/restart-current-app", {
      summary: "Stop the app and start it again; answers when its new process runs, and a stop cancels it",
      query: z.object({
        in_place: z
          .stringbool()
          .default(false)
          .describe("Leave the robot where it is in between instead of returning it to its default pose"),
      }),
      result: AppStatus,
      errors: ["no-app-running", ...startErrors],
      handle: ({ query }) => apps.slot.restart({ inPlace: query.in_place }),
    }),
    get("/api/apps/current-app-status", {
      summary: "The app that runs, or the last one with its result; null before the first",
      result: AppStatus.nullable(),
      handle: () => apps.slot.status(),
    }),
    post("/api/apps/install", {
      summary: "Install or update an app; the response names the job",
      body: Install,
      result: JobId,
      errors: ["address-refused", "too-many-requests"],
      handle: ({ body: { url, path = "", editable, isolated } }) => ({
        job_id: apps.installer.install(url ?? path, { editable, isolated }).job_id,
      }),
    }),
    post("/api/apps/remove/:name", {
      summary: "Remove an app",
      result: JobId,
      errors: ["app-not-found", "app-already-running", "too-many-requests"],
      handle: async ({ params }) => ({ job_id: (await apps.installer.remove(params.name ?? "")).job_id }),
    }),
    get("/api/apps/jobs", {
      summary: "All jobs, the newest first",
      result: z.array(Job),
      handle: () => apps.jobs.list(),
    }),
    get("/api/apps/job-status/:job_id", {
      summary: "One job: stage, percent, log, result",
      query: JobLog,
      result: Job,
      errors: ["job-not-found"],
      handle: ({ params, query }) => {
        const job = apps.jobs.get(params.job_id ?? "");
        return { ...job, logs: [...linesAfter(query.after, job.logs, job.log_lines)] };
      },
    }),
    post("/api/apps/job-cancel/:job_id", {
      summary: "Cancel a job and undo its changes",
      result: Job,
      errors: ["job-not-found"],
      handle: ({ params }) => apps.jobs.cancel(params.job_id ?? ""),
    }),
    get("/api/apps/startup-app", {
      summary: "The app that starts after wake-up and when an antenna is touched",
      result: StartupApp,
      handle: () => ({ startup_app: apps.startupApp.name }),
    }),
    put("/api/apps/startup-app", {
      summary: "Set the startup app; null for none",
      body: StartupApp,
      result: StartupApp,
      errors: ["app-not-found", "hub-unreachable", "disk-full"],
      handle: async ({ body }) => {
        await apps.startupApp.choose(body.startup_app);
        return { startup_app: apps.startupApp.name };
      },
    }),
  ];
}

async function listInstalled(apps: AppHost): Promise<AppInfo[]> {
  return (await apps.installed.list()).map(({ info }) => info);
}

/** The public daemon's lists of apps by origin; without an origin, installed apps and the apps of the hub. */
function availableRoutes(apps: AppHost): Route[] {
  const installed = async (query: Search) => select(await listInstalled(apps), query);
  const fromHub = async (query: Search) => select((await apps.catalogue.read()).apps, query);
  const local = async (query: Search) =>
    (await installed(query)).filter(({ extra }) => extra.origin?.kind !== "hf_space");
  const all = async (query: Search) => [...(await installed(query)), ...(await fromHub(query))];
  const list = (suffix: string, summary: string, read: (query: Search) => Promise<AppInfo[]>) =>
    get(`/api/apps/list-available${suffix}`, {
      summary,
      query: Search,
      result: z.array(AppInfo),
      handle: ({ query }) => read(query),
    });
  return [
    list("", "The installed apps, then the apps of the hub", all),
    list("/installed", "The installed apps", installed),
    list("/hf_space", "The apps of the hub; /api/apps/catalogue has the age of the list", fromHub),
    list("/local", "The installed apps that were installed from a folder", local),
  ];
}
