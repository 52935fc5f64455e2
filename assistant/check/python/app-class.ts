import type { ClassDef, Module } from "py-ast";
import type { App } from "../app/app.ts";
import { type Lineage, lineageOf } from "./lineage.ts";
import { type Scope, scopeOf } from "./scope.ts";

/** The module and the app's class in it. */
export interface AppClass {
  module: Module;
  scope: Scope;
  definition: ClassDef;
  lineage: Lineage;
}

/**
 * The class that the entry point names; without an entry point, the last one that extends RobotApp. `skip` says why a
 * check that needs it has nothing to look at, and which requirement tells of it.
 */
export function appClassOf({ main, className }: App): AppClass | { skip: string } {
  if (main.status === "missing") return { skip: `there is no ${main.path} (PKG-005)` };
  if (main.status === "broken") return { skip: `${main.path} does not parse (PKG-006)` };
  const module = main.value;
  const scope = scopeOf(module);
  const classes = [...scope.names.values()]
    .filter((meaning) => typeof meaning !== "string" && meaning.nodeType === "ClassDef")
    .map((definition) => ({ module, scope, definition, lineage: lineageOf(definition, scope) }));
  const named = classes.find(({ definition }) => definition.name === className);
  const found = named ?? classes.findLast(({ lineage }) => lineage.extendsRobotApp);
  return found ?? { skip: `${main.path} has no class that is the app (PKG-006)` };
}
