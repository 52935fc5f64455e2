import { createWriteStream } from "node:fs";
import { mkdir, statfs } from "node:fs/promises";
import path from "node:path";
import { pipeline } from "node:stream/promises";
import { dialectsOfTags, listOfDialects } from "../../../../robot/dialects/dialects.ts";
import { WorkbenchError } from "../../../../robot/wire/errors.ts";
import type { Hub, SpaceFile } from "../../hub/hub.ts";
import { isProjectFile } from "./project-files.ts";
import type { AppSource } from "./source.ts";

/** Fetching is this part of an install, in percent. */
const FETCH_SPAN = 15;

/** An app in a space of the hub, at its newest commit. @param id `USER/APP_NAME` */
export function spaceSource(hub: Hub, id: string): AppSource {
  return {
    name: hub.addressOf(id),
    app: id.slice(id.indexOf("/") + 1),
    async fetch(into, run) {
      const { sha, tags } = await hub.space(id, run.signal);
      if (dialectsOfTags(tags).length === 0) {
        const next = `Its README.md must list ${listOfDialects(({ tag }) => tag)} under tags; robot-app-assistant check says what else is missing.`;
        throw new WorkbenchError("app-invalid", `${id} is not tagged as a robot app. ${next}`);
      }
      const files = (await hub.files(id, sha, run.signal)).filter(isNeeded);
      const total = files.reduce((sum, { size }) => sum + size, 0);
      await mkdir(into, { recursive: true });
      await checkDiskSpace(into, total);
      run.log(`${id} at ${sha.slice(0, 7)}: ${files.length} files, ${total} bytes`);
      let fetched = 0;
      for (const file of files) {
        const target = targetOf(file, into);
        await mkdir(path.dirname(target), { recursive: true });
        await pipeline(hub.content(id, sha, file.path, run.signal), createWriteStream(target));
        fetched += file.size;
        run.log(`fetched ${file.path}`, FETCH_SPAN * (fetched / Math.max(total, 1)));
      }
      return { kind: "hf_space", from: hub.addressOf(id), revision: sha };
    },
  };
}

function isNeeded({ path: name }: SpaceFile): boolean {
  return name.split("/").every((_, at, parts) => isProjectFile(parts.slice(0, at + 1).join("/")));
}

/** Where a file of a space is written. @throws WorkbenchError `app-invalid` when that is outside of the folder */
function targetOf({ path: name }: SpaceFile, folder: string): string {
  const target = path.resolve(folder, name);
  if (target.startsWith(folder + path.sep) && !name.includes("\0")) return target;
  throw new WorkbenchError("app-invalid", `The space holds a file ${JSON.stringify(name)} outside of its own folder.`);
}

/** @throws WorkbenchError `disk-full` */
async function checkDiskSpace(folder: string, bytes: number): Promise<void> {
  const { bavail, bsize } = await statfs(folder);
  if (bytes <= bavail * bsize) return;
  const free = `${folder} has room for ${Math.floor((bavail * bsize) / 1e6)} MB`;
  throw new WorkbenchError("disk-full", `The app has ${Math.ceil(bytes / 1e6)} MB, ${free}. Make room and try again.`);
}
