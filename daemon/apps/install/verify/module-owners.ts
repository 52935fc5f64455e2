import { readFile } from "node:fs/promises";
import path from "node:path";
import type { EnvironmentState } from "../environment/environment-state.ts";

const PACKAGE_FILE = /^lib\/[^/]+\/site-packages\/(.+)$/;
const CODE = /\.(pyc?|so|pyd)$/;
/** What a package's `__init__.py` says when other distributions may add to it. */
const SHARED_PACKAGE = /extend_path|declare_namespace/;

/** The module of a file as a path, `arrays/core`, or `arrays` for its `__init__`; null for a file without code. */
export function modulePathOf(file: string): string | null {
  const inside = PACKAGE_FILE.exec(file)?.[1];
  if (inside === undefined || !CODE.test(inside)) return null;
  const folder = path.posix.dirname(inside);
  const [stem = ""] = path.posix.basename(inside).split(".", 1);
  return path.posix.join(folder, stem === "__init__" ? "" : stem).replace(/\/$/, "");
}

/** Which distributions have a module: of two files for one, Python would take one of both. */
export class ModuleOwners {
  readonly #venv: string;
  readonly #before: EnvironmentState;
  /** The files of each module, by its path. */
  readonly #files = new Map<string, string[]>();
  readonly #known = new Map<string, Promise<string[]>>();

  constructor(venv: string, before: EnvironmentState) {
    this.#venv = venv;
    this.#before = before;
    for (const file of before.files.keys()) {
      const module = modulePathOf(file);
      if (module === null) continue;
      const known = this.#files.get(module);
      if (known === undefined) this.#files.set(module, [file]);
      else known.push(file);
    }
  }

  /** The owners of the module that a new file would be, and of the packages that it is in. */
  async ownersOf(file: string): Promise<string[]> {
    const inside = PACKAGE_FILE.exec(file)?.[1] ?? "";
    const parents = inside.split("/").slice(0, -1);
    const packages = parents.map((_, index) => parents.slice(0, index + 1).join("/"));
    const module = modulePathOf(file);
    return (await Promise.all([...packages, module ?? ""].map((each) => this.ownersOfPackage(each)))).flat();
  }

  /** The owners of a module or package; none for a package that distributions share. */
  ownersOfPackage(module: string): Promise<string[]> {
    const known = this.#known.get(module) ?? this.#readOwners(module);
    this.#known.set(module, known);
    return known;
  }

  async #readOwners(module: string): Promise<string[]> {
    const files = this.#files.get(module) ?? [];
    const isShared = files.map(async (file) => {
      if (!file.endsWith("/__init__.py")) return false;
      return SHARED_PACKAGE.test(await readFile(path.join(this.#venv, file), "latin1").catch(() => ""));
    });
    if ((await Promise.all(isShared)).some((shared) => shared)) return [];
    return files.flatMap((file) => this.#before.owners.get(file) ?? []);
  }
}
