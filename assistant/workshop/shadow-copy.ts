import { constants, type Stats } from "node:fs";
import { copyFile, lstat, mkdir, readdir, readlink, realpath, rm, rmdir, symlink, writeFile } from "node:fs/promises";
import { dirname, join, relative, resolve } from "node:path";
import ignore from "ignore";
import { isInside } from "../../common/machine/is-inside.ts";
import { WorkbenchError } from "../../robot/wire/errors.ts";
import { DEFAULT_IGNORES } from "../check/app/read-files.ts";
import { forgetCompiled } from "../dev/python-cache.ts";

/** What is copied at most: an app, not a collection of data. */
const [MAX_FILES, MAX_BYTES] = [10_000, 2e9];
const COMPILED = "__pycache__";

/**
 * A copy of an app's folder with changes, to run. Its files are copies, not hard links: an app that writes into its own folder
 * would write through a link into the author's. A file is copied again only when one of the two has changed.
 */
export class ShadowCopy {
  readonly #source: string;
  readonly #folder: string;
  readonly #copiesFolder: string;
  /** The state of each file and of its copy when it was copied, by its path inside the app. */
  readonly #copied = new Map<string, string>();

  /**
   * @param source real path of the app's folder @param folder of the copy, which belongs to this object alone
   * @param copiesFolder holds it and other copies: none of them is copied, should they be inside the app's folder
   */
  constructor(source: string, folder: string, copiesFolder: string) {
    this.#source = source;
    this.#folder = folder;
    this.#copiesFolder = copiesFolder;
  }

  /**
   * Makes the copy equal to the app's folder with changes.
   * @param changes new texts by path inside the app, of files that exist or are new
   * @throws WorkbenchError `edit-refused` for a folder with too many or too large files
   */
  async update(changes: ReadonlyMap<string, string>, signal: AbortSignal): Promise<void> {
    // What an earlier daemon left there is not known.
    if (this.#copied.size === 0) await rm(this.#folder, { recursive: true, force: true });
    await mkdir(this.#folder, { recursive: true, mode: 0o700 });
    const files = await filesIn(this.#source, "", signal);
    const copies = `${relative(this.#source, await realpath(this.#copiesFolder))}/`;
    for (const name of [...files.keys()]) if (name.startsWith(copies)) files.delete(name);
    const bytes = [...files.values()].reduce((sum, { size }) => sum + size, 0);
    if (files.size > MAX_FILES || bytes > MAX_BYTES) throw tooLarge(this.#source, files.size, bytes);
    for (const [name, found] of await filesIn(this.#folder, "", signal))
      if (changes.has(name) || this.#copied.get(name) !== stateOf(files.get(name), found)) await this.#remove(name);
    for (const [name, found] of files) if (!changes.has(name)) await this.#copy(name, found);
    for (const [name, text] of changes) await this.#write(name, text);
  }

  async #remove(name: string): Promise<void> {
    this.#copied.delete(name);
    await rm(join(this.#folder, name), { recursive: true, force: true });
    await forgetCompiled(this.#folder, name);
    await this.#removeEmptyFolders(dirname(name));
  }

  /** A folder without files could stand where a link or a file goes, and Python imports it as a package. */
  async #removeEmptyFolders(folder: string): Promise<void> {
    if (folder === ".") return;
    const isRemoved = await rmdir(join(this.#folder, folder)).then(
      () => true,
      () => false,
    );
    if (isRemoved) await this.#removeEmptyFolders(dirname(folder));
  }

  async #copy(name: string, found: Stats): Promise<void> {
    if (this.#copied.has(name)) return;
    const place = await this.#place(name);
    if (found.isSymbolicLink()) await symlink(await this.#target(name), place);
    else await copyFile(join(this.#source, name), place, constants.COPYFILE_FICLONE);
    this.#copied.set(name, stateOf(found, await lstat(place)));
  }

  /** A link inside the app leads to the copy; any other leads where it did. */
  async #target(name: string): Promise<string> {
    const link = join(this.#source, name);
    const target = resolve(dirname(link), await readlink(link));
    const real = await realpath(target).catch(() => target);
    return isInside(this.#source, real) ? join(this.#folder, relative(this.#source, real)) : real;
  }

  async #write(name: string, text: string): Promise<void> {
    await writeFile(await this.#place(name), text, { flag: "wx" });
  }

  async #place(name: string): Promise<string> {
    const place = join(this.#folder, name);
    await mkdir(dirname(place), { recursive: true });
    return place;
  }
}

const stateOf = (...found: (Stats | undefined)[]): string =>
  found.map((each) => (each === undefined ? "none" : [each.ino, each.size, each.mtimeMs, each.mode].join(" "))).join();

/** What tools make: Python would run what it compiled of another text. */
const isGenerated = (() => {
  const rules = ignore().add(DEFAULT_IGNORES);
  return (name: string) => rules.ignores(name);
})();

async function filesIn(root: string, inside: string, signal: AbortSignal): Promise<Map<string, Stats>> {
  const files = new Map<string, Stats>();
  for (const entry of await readdir(join(root, inside), { withFileTypes: true })) {
    signal.throwIfAborted();
    const name = inside + entry.name;
    if (entry.name === COMPILED || isGenerated(entry.isDirectory() ? `${name}/` : name)) continue;
    if (entry.isDirectory())
      for (const [inner, found] of await filesIn(root, `${name}/`, signal)) files.set(inner, found);
    else if (entry.isFile() || entry.isSymbolicLink()) files.set(name, await lstat(join(root, name)));
  }
  return files;
}

function tooLarge(folder: string, files: number, bytes: number): WorkbenchError {
  const has = `${folder} has ${files} files with ${(bytes / 1e6).toFixed(0)} MB`;
  const most = `at most ${MAX_FILES} files with ${MAX_BYTES / 1e6} MB are copied for a try`;
  return new WorkbenchError("edit-refused", `${has}; ${most}. Move data out of the app's folder.`);
}
