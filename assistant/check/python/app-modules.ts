import type { parseModule } from "../../../common/python/parse-module.ts";
import type { ClassDef, Expression, FunctionDef, Module } from "../../../common/python/syntax-tree.ts";
import { type Parsed, parseFile } from "../app/parsed.ts";
import type { Files } from "../app/read-files.ts";
import { type Definition, resolveName, type Scope, scopeOf } from "./scope.ts";

export interface AppModule {
  /** Path inside the app. */
  file: string;
  tree: Module;
  scope: Scope;
}

/** A class or function, and the module of the app that defines it. */
export interface Located<D extends ClassDef | FunctionDef = ClassDef | FunctionDef> {
  definition: D;
  module: AppModule;
}

/** Modules that a name is followed through at most, so that imports that lead in a circle end. */
const MAX_IMPORTS = 8;

/** The Python modules among an app's files, parsed when they are first asked for. */
export class AppModules {
  readonly #files: Files;
  /** Folder that the modules' names begin in: empty, or "src/". */
  readonly #root: string;
  readonly #parsed = new Map<string, AppModule | null>();

  readonly #parse: typeof parseModule;

  /** @param main the main module, which has been parsed @param parse parses the others */
  constructor(files: Files, main: Parsed<Module> & { path: string }, parse: typeof parseModule) {
    this.#files = files;
    this.#parse = parse;
    this.#root = main.path.startsWith("src/") ? "src/" : "";
    this.#add(main.path, main);
  }

  /** The module in a file; null when there is none that parses. */
  at(file: string): AppModule | null {
    const known = this.#parsed.get(file);
    if (known !== undefined) return known;
    return this.#add(file, parseFile(this.#files.get(file), this.#parse));
  }

  #add(file: string, parsed: Parsed<Module>): AppModule | null {
    const tree = parsed.status === "parsed" ? parsed.value : null;
    const found = tree && { file, tree, scope: scopeOf(tree, this.#packageOf(file)) };
    this.#parsed.set(file, found);
    return found;
  }

  /** The file of a module by its dotted name; undefined for one that is not the app's. */
  fileOf(name: string): string | undefined {
    const path = `${this.#root}${name.replaceAll(".", "/")}`;
    return [`${path}.py`, `${path}/__init__.py`].find((file) => this.#files.has(file));
  }

  /**
   * Resolves an expression of a module to a class or function of the app, else to its full dotted name; undefined for what the
   * module does not define or import.
   */
  resolve(expression: Expression, module: AppModule): Located | string | undefined {
    return this.#follow(resolveName(expression, module.scope), module);
  }

  /** Resolves a global name of a module, also an imported one, as `resolve` does. */
  resolveGlobal(name: string, module: AppModule): Located | string | undefined {
    return this.#follow(module.scope.names.get(name), module);
  }

  #follow(definition: Definition | undefined, module: AppModule): Located | string | undefined {
    let [found, owner] = [definition, module];
    for (let step = 0; typeof found === "string" && step < MAX_IMPORTS; step += 1) {
      const at = found.lastIndexOf(".");
      const file = at < 0 ? undefined : this.fileOf(found.slice(0, at));
      const next = file === undefined ? null : this.at(file);
      const inner = next?.scope.names.get(found.slice(at + 1));
      if (next === null || inner === undefined) return found;
      [found, owner] = [inner, next];
    }
    return typeof found === "object" ? { definition: found, module: owner } : found;
  }

  /** The package that a module's relative imports begin in. */
  #packageOf(file: string): string {
    const inside = file.slice(this.#root.length);
    return inside.slice(0, Math.max(0, inside.lastIndexOf("/"))).replaceAll("/", ".");
  }
}
