import { cp, stat } from "node:fs/promises";
import path from "node:path";
import { WorkbenchError } from "../../../robot/wire/errors.ts";
import { digestOf } from "./digest.ts";
import { isSource } from "./project-files.ts";
import type { AppSource } from "./source.ts";

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
