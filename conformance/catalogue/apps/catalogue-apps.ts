import { existsSync } from "node:fs";
import { readdir, readFile, stat } from "node:fs/promises";
import { basename, dirname, join, resolve } from "node:path";
import type { HubClient } from "../../../daemon/apps/hub/hub-client.ts";
import { isAddress } from "../../../daemon/apps/hub/space-address.ts";
import { digestOf } from "../../../daemon/apps/install/fetch/digest.ts";
import { parseSource } from "../../../daemon/apps/install/fetch/parse-source.ts";
import { DIALECTS } from "../../../robot/dialects/dialects.ts";
import { WorkbenchError } from "../../../robot/wire/errors.ts";

/** One app of a catalogue. */
export interface CatalogueApp {
  /** Unique in the catalogue, for people: the folder's name, or USER/NAME of a space. */
  name: string;
  /** A folder, or the address of a space. */
  source: string;
  /** Commit of a space; null for a folder. */
  revision: string | null;
}

/** How the apps of a hub are named on the command line. */
const HUB_QUERY = /^hub:(.*)$/s;
const LIST_MS = 300_000;

/**
 * The apps of a catalogue, sorted by name: the subfolders of a folder; the lines of a file, each a folder or the address of
 * a space; or the spaces of the hub whose id, title or description has every word of `hub:WORDS`.
 * @param limit milliseconds in which the hub must have listed its spaces
 * @throws WorkbenchError `bad-request`, `hub-unreachable`; the signal's reason
 */
export async function listApps(
  catalogue: string,
  cwd: string,
  hub: HubClient,
  signal: AbortSignal,
  limit = LIST_MS,
): Promise<CatalogueApp[]> {
  const [, query] = HUB_QUERY.exec(catalogue) ?? [];
  const apps =
    query === undefined ? await localApps(resolve(cwd, catalogue), catalogue) : await spaces(query, hub, signal, limit);
  if (apps.length === 0) throw new WorkbenchError("bad-request", `The catalogue ${catalogue} has no app.`);
  return withUniqueNames(uniqueBySource(apps)).sort((one, other) => one.name.localeCompare(other.name));
}

async function localApps(path: string, shown: string): Promise<CatalogueApp[]> {
  const found = await stat(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return null;
    throw new WorkbenchError("bad-request", `The catalogue ${shown} cannot be read: ${error.message}`, {
      cause: error,
    });
  });
  if (found?.isDirectory()) {
    const apps = await foldersIn(path);
    if (isProject(path) && !apps.some(({ source }) => isProject(source)))
      throw new WorkbenchError(
        "bad-request",
        `${shown} is an app. Leave --catalogue out, or give the folder it is in.`,
      );
    return apps;
  }
  if (!found?.isFile())
    throw new WorkbenchError(
      "bad-request",
      `There is no catalogue ${shown}; give a folder of apps, a file with one app a line, or hub:WORDS.`,
    );
  const lines = (await readFile(path, "utf8")).split("\n").map((line) => line.replace(/(^|\s)#.*/, "").trim());
  return lines.filter((line) => line !== "").map((line) => appOfLine(line, dirname(path)));
}

const isProject = (folder: string): boolean => existsSync(join(folder, "pyproject.toml"));

async function foldersIn(folder: string): Promise<CatalogueApp[]> {
  const entries = await readdir(folder, { withFileTypes: true });
  return entries
    .filter((entry) => entry.isDirectory() && !entry.name.startsWith("."))
    .map(({ name }) => ({ name, source: join(folder, name), revision: null }));
}

function appOfLine(line: string, folder: string): CatalogueApp {
  if (!isAddress(line)) {
    const source = resolve(folder, line);
    return { name: basename(source), source, revision: null };
  }
  return { name: line.replace(/^.*\/spaces\//, ""), source: line, revision: null };
}

async function spaces(query: string, hub: HubClient, signal: AbortSignal, limit: number): Promise<CatalogueApp[]> {
  const deadline = AbortSignal.timeout(limit);
  try {
    return await spacesWithWords(query, hub, AbortSignal.any([signal, deadline]));
  } catch (error) {
    signal.throwIfAborted();
    if (!deadline.aborted) throw error;
    const detail = `The hub did not list its spaces within ${limit / 1000} s. Try again, or name the apps in a file.`;
    throw new WorkbenchError("hub-unreachable", detail, { cause: error });
  }
}

async function spacesWithWords(query: string, hub: HubClient, signal: AbortSignal): Promise<CatalogueApp[]> {
  const words = query.toLowerCase().split(/\s+/);
  const apps: CatalogueApp[] = [];
  for (const { tag } of DIALECTS)
    for await (const { id, sha, cardData: card } of hub.spacesWith(tag, signal)) {
      const text = [id, card.title, card.short_description].join("\n").toLowerCase();
      if (words.every((word) => text.includes(word))) apps.push({ name: id, source: hub.addressOf(id), revision: sha });
    }
  return apps;
}

const uniqueBySource = (apps: readonly CatalogueApp[]): CatalogueApp[] => [
  ...new Map(apps.map((app) => [app.source, app])).values(),
];

/** Names apps of the same name by their sources. */
function withUniqueNames(apps: readonly CatalogueApp[]): CatalogueApp[] {
  const count = new Map<string, number>();
  for (const { name } of apps) count.set(name, (count.get(name) ?? 0) + 1);
  return apps.map((app) => (count.get(app.name) === 1 ? app : { ...app, name: app.source }));
}

/** An app on this machine. */
export interface FetchedApp {
  folder: string;
  /** Of its files. */
  digest: string;
}

/**
 * Downloads a space into a scratch folder; an app in a folder stays where it is.
 * @throws Error when there is no such folder; as `HubClient` does; the signal's reason
 */
export async function fetchApp(
  app: CatalogueApp,
  hub: HubClient,
  scratch: string,
  signal: AbortSignal,
): Promise<FetchedApp> {
  if (!isAddress(app.source)) {
    if (!(await stat(app.source)).isDirectory()) throw new Error(`${app.source} is not a folder`);
    return { folder: app.source, digest: await digestOf(app.source) };
  }
  const folder = join(scratch, "source");
  await parseSource(app.source, hub).fetch(folder, { signal, enter: () => {}, log: () => {} });
  return { folder, digest: await digestOf(folder) };
}
