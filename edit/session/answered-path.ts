import { readdir, realpath } from "node:fs/promises";
import { join } from "node:path";
import { isInside } from "../../common/machine/is-inside.ts";
import { GENERATED } from "../prompt/reference-files.ts";
import { Refused } from "../refusal.ts";

/** Files that an install, a test runner or the start of Python executes or follows by their names. */
export const EXECUTED_BY_NAME =
  /^(?:pyproject\.toml|setup\.(?:py|cfg)|conftest\.py|pytest\.ini|tox\.ini|noxfile\.py|(?:site|user)customize\.py|.*\.pth)$/;
/** Characters that no portable path has, and those that another system reads as a separator. */
const FORBIDDEN = /[\p{C}\p{Zl}\p{Zp}\\:*?"<>|]/u;

/** A name as file systems compare it that do not distinguish upper and lower case. */
export const foldName = (name: string) => name.normalize("NFC").toLowerCase();

/**
 * The place of a new file that an answer names by its path from the app's folder, absolute.
 * @throws Refused `wrong-path` for a path that leads out of the app, also through a link, for a hidden or generated file, for
 *   one that an install or a test executes by its name, and for a file that exists, by this name or by one in other letters: the model was not shown it
 */
export async function placeOfNewFile(app: string, path: string): Promise<string> {
  const names = path.split("/");
  if (FORBIDDEN.test(path) || names.some((name) => name === "" || name.trim() !== name || name.endsWith(".")))
    throw wrongPath(path, "is not a path inside of the app.");
  if (names.some((name) => GENERATED.test(name))) throw wrongPath(path, "is hidden, or made by a tool.");
  if (EXECUTED_BY_NAME.test(foldName(names.at(-1) ?? "")))
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

function wrongPath(path: string, what: string): Refused {
  const hint = "Change the files of the request only, by the paths that it gives, or add a new file inside of the app.";
  return new Refused("wrong-path", `${JSON.stringify(path)} ${what}`, hint);
}
