import type { ClassDef } from "../../../common/python/syntax-tree.ts";
import type { App } from "../app/app.ts";
import type { AppModule, Located } from "./app-modules.ts";
import { type BaseClasses, findBaseClasses, isClass } from "./base-classes.ts";

/** The app's class, and the module that defines it: the main module, or one that it is imported from. */
export interface AppClass extends Located<ClassDef> {
  /** The main module's name for the class; for an alias, not the one of its definition. */
  name: string;
  /** The main module, which the daemon runs. */
  main: AppModule;
  bases: BaseClasses;
}

/**
 * Finds the class that the entry point names; else, also when there is no such class, the last one that extends the base class
 * of apps. `skip` says why there is none, and which requirement reports that.
 */
export function findAppClass({ modules, main, className, dialect }: App): AppClass | { skip: string } {
  if (main.status === "missing") return { skip: `there is no ${main.path} (PKG-005)` };
  const module = modules.at(main.path);
  if (module === null) return { skip: `${main.path} does not parse (PKG-006)` };
  const classes = [...module.scope.names.keys()].flatMap((name) => {
    const found = modules.resolveGlobal(name, module);
    if (!isClass(found)) return [];
    // Where the contract prescribes the form, the main module defines the class.
    if (dialect.prescribesForm && found.module !== module) return [];
    return [{ ...found, name, main: module, bases: findBaseClasses(found, modules, dialect) }];
  });
  const named = classes.find(({ name }) => name === className);
  const found = named ?? classes.findLast(({ bases }) => bases.extendsRobotApp);
  return found ?? { skip: `${main.path} has no class that is the app (PKG-006)` };
}
