import type { ClassDef } from "../../../common/python/syntax-tree.ts";
import type { Dialect } from "../../../robot/dialects/dialects.ts";
import type { AppModules, Located } from "./app-modules.ts";

/** The full names under which the base class of apps can be imported. */
const baseClassNames = ({ sdk }: Dialect): readonly string[] =>
  [sdk.module, sdk.appModule, `${sdk.module}.apps`].map((module) => `${module}.${sdk.appClass}`);

/** The base classes of a class, direct and indirect. */
export interface BaseClasses {
  /** The class itself and its base classes in the modules of the app, the class first. */
  classes: Located<ClassDef>[];
  /** Whether it extends the dialect's base class of apps. */
  extendsRobotApp: boolean;
  /** Base classes from modules that are not the app's, by their full dotted names; their contents are unknown. */
  external: string[];
  /** Base classes whose names the module does not define, as written. */
  unknown: string[];
}

/** Follows the base classes of a class through the modules of the app. */
export function findBaseClasses(start: Located<ClassDef>, modules: AppModules, dialect: Dialect): BaseClasses {
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
export const isClass = (found: Located | string | undefined): found is Located<ClassDef> =>
  typeof found === "object" && found.definition.kind === "ClassDef";
