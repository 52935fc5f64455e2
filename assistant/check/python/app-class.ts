import type { ClassDef, FunctionDef, Statement } from "../../../common/python/syntax-tree.ts";
import type { Dialect } from "../../../robot/dialects/dialects.ts";
import type { App } from "../app/app.ts";
import type { AppModule, AppModules, Located } from "./app-modules.ts";

/** The app's class, and the module that defines it: the main module, or one that it is imported from. */
export interface AppClass extends Located<ClassDef> {
  /** The main module's name for the class; for an alias, not the one of its definition. */
  name: string;
  /** The main module, which the daemon runs. */
  main: AppModule;
  bases: BaseClasses;
}

/** The base classes of a class, direct and indirect. */
interface BaseClasses {
  /** The class itself and its base classes in the modules of the app, the class first. */
  classes: Located<ClassDef>[];
  /** Whether it extends the dialect's base class of apps. */
  extendsRobotApp: boolean;
  /** Base classes from modules that are not the app's, by their full dotted names; their contents are unknown. */
  external: string[];
  /** Base classes whose names the module does not define, as written. */
  unknown: string[];
}

/**
 * Finds the class that the entry point names; else, also when there is no such class, the last one that extends the base class
 * of apps. `skip` says why there is none, and which requirement reports that.
 */
export function findAppClass({ modules, main, entryPoint, dialect }: App): AppClass | { skip: string } {
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
  const named = classes.find(({ name }) => name === entryPoint?.className);
  const found = named ?? classes.findLast(({ bases }) => bases.extendsRobotApp);
  return found ?? { skip: `${main.path} has no class that is the app (PKG-006)` };
}

/** The method run of the app's class, else of a base class that the app defines, and the module that it is in. */
export function runOf({ bases }: AppClass): Located<FunctionDef> | undefined {
  return bases.classes.flatMap(({ definition, module }) => {
    const run = definition.body.findLast(isRun);
    return run === undefined ? [] : [{ definition: run, module }];
  })[0];
}

export const isRun = (statement: Statement): statement is FunctionDef =>
  statement.kind === "FunctionDef" && statement.name === "run";

/** The full names under which the base class of apps can be imported. */
const baseClassNames = ({ sdk }: Dialect): readonly string[] =>
  [sdk.module, sdk.appModule, `${sdk.module}.apps`].map((module) => `${module}.${sdk.appClass}`);

/** Follows the base classes of a class through the modules of the app. */
function findBaseClasses(start: Located<ClassDef>, modules: AppModules, dialect: Dialect): BaseClasses {
  const names = baseClassNames(dialect);
  const found: BaseClasses = { classes: [], extendsRobotApp: false, external: [], unknown: [] };
  const follow = (each: Located<ClassDef>): void => {
    if (found.classes.some(({ definition }) => definition === each.definition)) return;
    found.classes.push(each);
    for (const base of each.definition.bases) {
      const resolved = modules.resolve(base, each.module);
      if (typeof resolved === "string") {
        if (names.includes(resolved)) found.extendsRobotApp = true;
        else found.external.push(resolved);
      } else if (isClass(resolved)) follow(resolved);
      else found.unknown.push(base.text);
    }
  };
  follow(start);
  return found;
}

/** Whether a name stands for a class of the app. */
const isClass = (found: Located | string | undefined): found is Located<ClassDef> =>
  typeof found === "object" && found.definition.kind === "ClassDef";
