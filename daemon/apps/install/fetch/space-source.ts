import { createWriteStream } from "node:fs";
import { mkdir, statfs } from "node:fs/promises";
import path from "node:path";
import { pipeline } from "node:stream/promises";
import { dialectsOfTags, listOfDialects } from "../../../../robot/dialects/dialects.ts";
import { WorkbenchError } from "../../../../robot/wire/errors.ts";
import { pathProblem } from "../../../../robot/wire/hub/hub-answers.ts";
import { formatForMessage } from "../../../../robot/wire/validation/format-for-message.ts";
import type { HubClient, SpaceFile } from "../../hub/hub-client.ts";
import { isProjectFile } from "./digest.ts";
import type { AppSource } from "./source.ts";

/** Fetching is this part of an install, in percent. */
const FETCH_SPAN = 15;

/**
 * An app in a space of the hub, at its newest commit.
 * @param id `USER/APP_NAME`
 * @param onLeftOut is called with each file that is no project file, and so is not fetched
 */
export function spaceSource(hub: HubClient, id: string, onLeftOut: (name: string) => void = () => {}): AppSource {
  return {
    name: hub.addressOf(id),
    app: id.slice(id.indexOf("/") + 1),
    async fetch(into, run) {
      const { sha, tags } = await hub.space(id, run.signal);
      if (dialectsOfTags(tags).length === 0) {
        const next = `Its README.md must list ${listOfDialects(({ tag }) => tag)} under tags; robot-app-assistant check says what else is missing.`;
        throw new WorkbenchError("app-invalid", `${id} is not tagged as a robot app. ${next}`);
      }
      const all = await hub.files(id, sha, run.signal);
      const files = all.filter(isNeeded);
      for (const file of all) if (!isNeeded(file)) onLeftOut(file.path);
      checkFiles(id, files);
      const total = files.reduce((sum, { size }) => sum + size, 0);
      checkSize(id, total, hub.bounds.appBytes);
      await mkdir(into, { recursive: true });
      await checkDiskSpace(into, total);
      run.log(`${id} at ${sha.slice(0, 7)}: ${files.length} files, ${total} bytes`);
      let fetched = 0;
      const { appMs } = hub.bounds;
      const late = AbortSignal.timeout(appMs);
      for (const file of files) {
        const target = path.join(into, file.path);
        await mkdir(path.dirname(target), { recursive: true });
        const content = hub.content(id, sha, file, AbortSignal.any([run.signal, late]));
        await pipeline(content, createWriteStream(target)).catch((error) => {
          if (!late.aborted || run.signal.aborted) throw error;
          throw new WorkbenchError(
            "hub-unreachable",
            `${id} was not there within ${appMs / 60_000} minutes. Try again.`,
          );
        });
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

/** @throws WorkbenchError `app-invalid` when files cannot be written under their names within a folder */
function checkFiles(id: string, files: readonly SpaceFile[]): void {
  const paths = new Set<string>();
  const folders = new Set<string>();
  const refuse = (name: string, why: string): never => {
    throw new WorkbenchError(
      "app-invalid",
      `${id} holds a file ${formatForMessage(name)}: ${why}. Rename or remove it.`,
    );
  };
  for (const { path: name } of files) {
    const problem = pathProblem(name);
    if (problem !== undefined) refuse(name, `that is ${problem}`);
    if (paths.has(name)) refuse(name, "it is listed twice");
    paths.add(name);
    for (let folder = path.dirname(name); folder !== "."; folder = path.dirname(folder)) folders.add(folder);
  }
  for (const name of paths) if (folders.has(name)) refuse(name, "it is a folder as well");
}

/** @throws WorkbenchError `app-invalid` */
function checkSize(id: string, bytes: number, maxBytes: number): void {
  if (bytes <= maxBytes) return;
  const most = `an app has at most ${maxBytes / 1e6} MB`;
  throw new WorkbenchError(
    "app-invalid",
    `${id} has ${Math.ceil(bytes / 1e6)} MB; ${most}. Fetch large files at run time.`,
  );
}

/** @throws WorkbenchError `disk-full` */
async function checkDiskSpace(folder: string, bytes: number): Promise<void> {
  const { bavail, bsize } = await statfs(folder);
  if (bytes <= bavail * bsize) return;
  const free = `${folder} has room for ${Math.floor((bavail * bsize) / 1e6)} MB`;
  throw new WorkbenchError("disk-full", `The app has ${Math.ceil(bytes / 1e6)} MB, ${free}. Make room and try again.`);
}
