import { existsSync } from "node:fs";
import { cp, stat } from "node:fs/promises";
import path from "node:path";
import { WorkbenchError } from "../../../../robot/wire/errors.ts";
import { isDiskFull } from "../../../files/disk-full.ts";
import { digestOf } from "./digest.ts";
import { isProjectFile } from "./project-files.ts";
import type { AppSource } from "./source.ts";

/** An app in a folder of this machine. It is copied first, because builds write into the folder that they build. */
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
      if (!existsSync(path.join(folder, "pyproject.toml"))) {
        throw new WorkbenchError("app-invalid", `There is no pyproject.toml in ${folder}; give the folder of an app.`);
      }
      const filter = (source: string) => isProjectFile(path.relative(folder, source));
      await cp(folder, into, { recursive: true, filter, verbatimSymlinks: true }).catch((error) => {
        if (isDiskFull(error)) throw error;
        throw new WorkbenchError("app-invalid", `The folder ${folder} cannot be copied: ${error.message}`, {
          cause: error,
        });
      });
      return { kind: "local", from: folder, revision: await digestOf(into) };
    },
  };
}
