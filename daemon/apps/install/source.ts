import { cp, stat } from "node:fs/promises";
import path from "node:path";
import { WorkbenchError } from "../../../robot/wire/errors.ts";
import type { Hub } from "../hub/hub.ts";
import { spaceIdIn } from "../hub/space-address.ts";
import { digestOf } from "./digest.ts";
import type { JobRun } from "./jobs.ts";
import { isSource } from "./project-files.ts";
import { spaceSource } from "./space-source.ts";

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

/**
 * What a person names: the address of a space, or a folder of this machine.
 * @throws WorkbenchError `address-refused`
 */
export function sourceOf(source: string, hub: Hub): AppSource {
  if (/^[a-z][a-z+.-]*:\/\//i.test(source)) return spaceSource(hub, spaceIdIn(source, hub.url));
  return localFolder(path.resolve(source));
}

/** An app in a folder of this machine; it is copied first, since builds write into their folder. */
export function localFolder(folder: string): AppSource {
  return {
    name: folder,
    app: null,
    async fetch(into) {
      const found = await stat(folder).catch(() => null);
      if (found?.isDirectory() !== true) {
        throw new WorkbenchError(
          "app-invalid",
          `There is no folder ${folder}; give the folder with the pyproject.toml.`,
        );
      }
      const filter = (source: string) => isSource(path.relative(folder, source));
      await cp(folder, into, { recursive: true, filter, verbatimSymlinks: true });
      return { kind: "local", from: folder, revision: await digestOf(into) };
    },
  };
}
