import type { AppOrigin } from "../../../../robot/wire/apps/app-origin.ts";
import type { JobRun } from "../jobs/jobs.ts";

/** A place that an app can be fetched from. */
export interface AppSource {
  /** For people: the folder or the address. */
  name: string;
  /** The name that one of its apps must have, apart from case and hyphens; null accepts any. */
  app: string | null;
  /** A folder that the installed app is run from, so that it need not be installed again after a change. */
  editableFolder?: string;
  /** Fails where `fetch` would fail for a reason that is known at once: there is no such app. */
  check?(): Promise<void>;
  /** Copies the app's files into a folder that does not exist yet. */
  fetch(into: string, run: JobRun): Promise<AppOrigin>;
}
