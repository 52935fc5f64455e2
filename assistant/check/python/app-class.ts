import type { ClassDef, Module } from "../../python/syntax-tree.ts";
import type { App } from "../app/app.ts";
import { type BaseClasses, findBaseClasses } from "./base-classes.ts";
import { type Scope, scopeOf } from "./scope.ts";

/** The app's class and the module that defines it. */
export interface AppClass {
  /** The module's name for the class; for an alias, not the one of its definition. */
  name: string;
  module: Module;
  scope: Scope;
  definition: ClassDef;
  bases: BaseClasses;
}

/**
 * Finds the class that the entry point names; else, also when there is no such class, the last one that extends the base class
 * of apps. `skip` says why there is none, and which requirement reports that.
 */
export function findAppClass({ main, className, dialect }: App): AppClass | { skip: string } {
  if (main.status === "missing") return { skip: `there is no ${main.path} (PKG-005)` };
  if (main.status === "broken") return { skip: `${main.path} does not parse (PKG-006)` };
  const module = main.value;
  const scope = scopeOf(module);
  const classes = [...scope.names].flatMap(([name, definition]) =>
    typeof definition === "string" || definition.kind !== "ClassDef"
      ? []
      : [{ name, module, scope, definition, bases: findBaseClasses(definition, scope, dialect) }],
  );
  const named = classes.find(({ name }) => name === className);
  const found = named ?? classes.findLast(({ bases }) => bases.extendsRobotApp);
  return found ?? { skip: `${main.path} has no class that is the app (PKG-006)` };
}
