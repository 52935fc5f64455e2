import type { JobRun } from "./jobs.ts";

/** Where an app comes from, written down with it. */
export interface Origin {
  kind: "local" | "hf_space";
  /** Folder of this machine, or address of the space. */
  from: string;
  /** The commit of a space, or what `digestOf` says of a folder. */
  revision: string | null;
}

/** Something that an app can be fetched from. */
export interface AppSource {
  /** For people: the folder or the address. */
  name: string;
  /** The name that one of its apps must have, give or take case and hyphens; null takes any. */
  app: string | null;
  /** Puts the app's files into an empty folder. */
  fetch(into: string, run: JobRun): Promise<Origin>;
}
