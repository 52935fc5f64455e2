import { cp, stat } from "node:fs/promises";
import path from "node:path";
import { WorkbenchError } from "../../../robot/wire/errors.ts";
import type { JobRun } from "./jobs.ts";

/** Where an app comes from, written down with it. */
export interface Origin {
  kind: "local" | "hf_space";
  /** Folder of this machine, or address of the space. */
  from: string;
  /** The commit, where there is one. */
  revision: string | null;
}

/** Something that an app can be fetched from. */
export interface AppSource {
  /** For people: the folder or the address. */
  name: string;
  /** Puts the app's files into an empty folder. */
  fetch(into: string, run: JobRun): Promise<Origin>;
}

/** What a build does not need, and what it leaves in its folder. */
const NOWHERE = new Set([".git", ".hg", ".venv", "node_modules", "__pycache__"]);
const NOT_AT_THE_TOP = new Set(["build", "dist", "venv"]);

/** An app in a folder of this machine; it is copied first, since builds write into their folder. */
export function localFolder(folder: string): AppSource {
  return {
    name: folder,
    async fetch(into) {
      const found = await stat(folder).catch(() => null);
      if (found?.isDirectory() !== true) {
        throw new WorkbenchError(
          "app-invalid",
          `There is no folder ${folder}; give the folder with the pyproject.toml.`,
        );
      }
      const filter = (source: string) => isWanted(path.relative(folder, source));
      await cp(folder, into, { recursive: true, filter, verbatimSymlinks: true });
      return { kind: "local", from: folder, revision: null };
    },
  };
}

function isWanted(relative: string): boolean {
  return !NOWHERE.has(path.basename(relative)) && !NOT_AT_THE_TOP.has(relative) && !relative.endsWith(".egg-info");
}
