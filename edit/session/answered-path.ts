import { readdir, realpath } from "node:fs/promises";
import { join } from "node:path";
import { isInside } from "../../common/machine/is-inside.ts";
import { GENERATED } from "../prompt/reference-files.ts";
import { Refused } from "../refusal.ts";

/** What an install, a test runner or the start of Python executes or follows by its name: a file, or a folder in its place. */
const EXECUTED_BY_NAME =
  /^(?:pyproject\.toml|setup\.(?:py|cfg)|conftest\.py|pytest\.(?:ini|toml)|tox\.(?:ini|toml)|noxfile\.py|hatch_build\.py|(?:site|user)customize(?:\..*)?|.*\.(?:pth|egg-link|dist-info|egg-info))$/;
/** Characters that no portable path has, and those that another system reads as a separator. */
const FORBIDDEN = /[\p{C}\p{Zl}\p{Zp}\\:*?"<>|]/u;

/** A path as file systems compare it that do not distinguish upper and lower case; those that do may have two such files. */
export const foldName = (path: string) => path.normalize("NFC").toUpperCase().toLowerCase().normalize("NFC");

/** Whether an install, a test or the start of Python executes a file by a name in its path. */
export const isExecutedByName = (path: string): boolean =>
  path.split("/").some((name) => EXECUTED_BY_NAME.test(foldName(name)));

/**
 * The folders of an app in which an answer may make files that the request does not name: those at the top of the app, or of its
 * `src`, that have a file of the request. The app's own folder and `src` are none: Python imports and installs from there.
 * @param named paths of the request
 */
function foldersForNewFiles(named: readonly string[]): string[] {
  const folders = named.flatMap((name) => {
    const parents = name.split("/").slice(0, -1);
    const top = parents.slice(0, parents[0] === "src" ? 2 : 1);
    return top.length === 0 || top.join("/") === "src" ? [] : [top.join("/")];
  });
  return [...new Set(folders)];
}

/**
 * The place of a file that an answer makes, and the request does not name.
 * @param named paths of the request, of which the answer changes at least one
 * @throws Refused `wrong-path`, as `placeOfNewFile`; outside of `foldersForNewFiles`; for a path that differs from one of the
 *   request in its letters only
 */
export async function placeOfAnsweredFile(app: string, path: string, named: readonly string[]): Promise<string> {
  const twin = named.find((name) => foldName(name) === foldName(path));
  if (twin !== undefined) throw wrongPath(path, `differs from ${twin} of the request in its letters only.`);
  const place = await placeOfNewFile(app, path);
  const folders = foldersForNewFiles(named);
  if (folders.some((folder) => path.startsWith(`${folder}/`))) return place;
  const where =
    folders.length === 0 ? "The request has no folder for new files" : `New files go into ${folders.join(" or ")}`;
  throw wrongPath(path, `is not named by the request. ${where}.`);
}

/**
 * The place of a new file by its path from the app's folder, absolute.
 * @throws Refused `wrong-path` for a path that leads out of the app, also through a link, for a hidden or generated file, for
 *   one that an install, a test or the start of Python executes by its name, and for a file that exists, by this name or by one in other letters: the model was not shown it
 */
export async function placeOfNewFile(app: string, path: string): Promise<string> {
  const names = path.split("/");
  if (FORBIDDEN.test(path) || names.some((name) => name === "" || name.trim() !== name || name.endsWith(".")))
    throw wrongPath(path, "is not a path inside of the app.");
  if (names.some((name) => GENERATED.test(name))) throw wrongPath(path, "is hidden, or made by a tool.");
  if (isExecutedByName(path))
    throw wrongPath(path, "is executed by an install or a test; it is made only when it is named on the command line.");
  let folder = app;
  for (const [depth, name] of names.entries()) {
    const entries = await readdir(folder, { withFileTypes: true }).catch(() => {
      throw wrongPath(path, "is below a file, or in a folder that cannot be read.");
    });
    const found = entries.find((entry) => foldName(entry.name) === foldName(name));
    if (found === undefined) break;
    if (found.name !== name) throw wrongPath(path, `differs from ${found.name}, which exists, in its letters only.`);
    if (depth === names.length - 1) throw wrongPath(path, "exists, and its text was not in the request.");
    folder = join(folder, name);
    const real = await realpath(folder).catch(() => "");
    if (!isInside(await realpath(app), real)) throw wrongPath(path, "leads out of the app.");
  }
  return join(app, path);
}

/** The refusal of a path. @param what goes on after it */
export function wrongPath(path: string, what: string): Refused {
  const hint = "Change the files of the request only, by the paths that it gives, or add a new file inside of the app.";
  return new Refused("wrong-path", `${JSON.stringify(path)} ${what}`, hint);
}
