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

export const AppStatus = z.object({ info: AppInfo, state: AppState, error: z.string().nullable() });
export type AppStatus = z.infer<typeof AppStatus>;
