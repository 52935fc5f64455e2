import { existsSync } from "node:fs";
import { constants, copyFile, mkdir, readlink, stat, symlink } from "node:fs/promises";
import path from "node:path";
import { isDiskFull } from "../../../../common/files/disk-full.ts";
import { WorkbenchError } from "../../../../robot/wire/errors.ts";
import { digestOf, projectEntriesIn } from "./digest.ts";
import type { AppSource } from "./source.ts";

/** An app in a folder of this machine. It is copied first, because builds write into the folder that they build. */
export function localFolder(folder: string): AppSource {
  return {
    name: folder,
    app: null,
    check: () => checkFolder(folder),
    async fetch(into) {
      await checkFolder(folder);
      await copyProject(folder, into).catch((error) => {
        if (isDiskFull(error)) throw error;
        throw new WorkbenchError("app-invalid", `The folder ${folder} cannot be copied: ${error.message}`, {
          cause: error,
        });
      });
      return { kind: "local", from: folder, revision: await digestOf(into) };
    },
  };
}

async function checkFolder(folder: string): Promise<void> {
  const found = await stat(folder).catch(() => null);
  if (found?.isDirectory() !== true) {
    throw new WorkbenchError("app-invalid", `There is no folder ${folder}; give the folder with the pyproject.toml.`);
  }
  if (!existsSync(path.join(folder, "pyproject.toml"))) {
    throw new WorkbenchError("app-invalid", `There is no pyproject.toml in ${folder}; give the folder of an app.`);
  }
}

/** Copies the files of a project. A link that stays inside of it becomes a copy of what it leads to; others are kept as they are. */
async function copyProject(folder: string, into: string): Promise<void> {
  await mkdir(into, { recursive: true });
  for (const { name, kind } of await projectEntriesIn(folder)) {
    if (kind === "other") throw new Error(`${name} is neither a file nor a folder`);
    const [from, to] = [path.join(folder, name), path.join(into, name)];
    await mkdir(path.dirname(to), { recursive: true });
    if (kind === "link") await symlink(await readlink(from), to);
    else await copyFile(from, to, constants.COPYFILE_FICLONE);
  }
}
