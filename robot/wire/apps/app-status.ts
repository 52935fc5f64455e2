import { z } from "zod";
import { AppOrigin } from "./app-origin.ts";

/** Where an app comes from: installed here, offered by a hub, or a folder of this machine. */
const SourceKind = z.enum(["installed", "hf_space", "local"]);

/** What an install added and how long it took; only in the result of its job. */
export const InstallFigures = z.object({
  packages: z.int().min(0).describe("The app and the packages that were not there before"),
  bytes: z.int().min(0),
  seconds: z.number().min(0),
});
export type InstallFigures = z.infer<typeof InstallFigures>;

/** What only some sources know of an app. */
const AppExtra = z
  .object({
    origin: AppOrigin,
    version: z.string().nullable(),
    /** Id of the dialect that it is written in. */
    dialect: z.string(),
    /** `module:Class` */
    entry_point: z.string(),
    /** Name of the Python distribution. */
    distribution: z.string(),
    /** Where the app serves its settings page, when it has one. */
    custom_app_url: z.string().nullable(),
    /** True when it is in an environment of its own; missing in the one that apps share. */
    isolated: z.boolean(),
    installed: InstallFigures,
    author: z.string().nullable(),
    title: z.string().nullable(),
  })
  .partial()
  .catchall(z.unknown());

/** One app of a list. */
export const AppInfo = z.object({
  name: z.string(),
  source_kind: SourceKind,
  description: z.string(),
  url: z.string().nullable(),
  extra: AppExtra,
});
export type AppInfo = z.infer<typeof AppInfo>;

/** The slot is busy in the first three only. */
export const AppState = z.enum(["starting", "running", "stopping", "done", "error"]);
export type AppState = z.infer<typeof AppState>;

export const AppStatus = z.object({
  info: AppInfo,
  state: AppState,
  error: z.string().nullable(),
  since: z.number().describe("When it entered this state, milliseconds since the Unix epoch by the daemon's clock"),
  stop_reason: z.string().optional().describe("Why it was stopped, where nobody stopped it: `the robot goes to sleep`"),
  trial: z.boolean().optional().describe("True for a copy with changes that are tried and not kept"),
});
export type AppStatus = z.infer<typeof AppStatus>;

/** The apps that the hub offers. */
export const AppCatalogue = z.object({
  hub: z.string(),
  apps: z.array(AppInfo),
  /** Seconds since the hub sent the list; null when it never did. */
  age_s: z.number().nullable(),
  /** Why the hub cannot be reached; the list is then the last one. Null when it can. */
  offline: z.string().nullable(),
});
export type AppCatalogue = z.infer<typeof AppCatalogue>;

/** An installed app whose space has a newer revision. Revisions are commits. */
export const AppUpdate = z.object({
  name: z.string(),
  url: z.string(),
  installed: z.string().nullable(),
  available: z.string(),
});
export type AppUpdate = z.infer<typeof AppUpdate>;
