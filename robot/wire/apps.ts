import { z } from "zod";

/** Where an app comes from: installed here, offered by a hub, or a folder of this machine. */
export const SourceKind = z.enum(["installed", "hf_space", "local"]);

/** One app of a list. `extra` holds what only some sources know (entry point, version, folder, settings URL). */
export const AppInfo = z.object({
  name: z.string(),
  source_kind: SourceKind,
  description: z.string(),
  url: z.string().nullable(),
  extra: z.record(z.string(), z.unknown()),
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
});
export type AppStatus = z.infer<typeof AppStatus>;

/** What the hub offers. */
export const AppCatalogue = z.object({
  hub: z.string(),
  apps: z.array(AppInfo),
  /** Seconds since the hub was asked; null when it never answered. */
  age_s: z.number().nullable(),
  /** Why the hub cannot be asked at this moment: the list is then the one before. */
  offline: z.string().nullable(),
});
export type AppCatalogue = z.infer<typeof AppCatalogue>;

/** An installed app whose space has moved on. Revisions are commits. */
export const AppUpdate = z.object({
  name: z.string(),
  url: z.string(),
  installed: z.string().nullable(),
  available: z.string(),
});
export type AppUpdate = z.infer<typeof AppUpdate>;
