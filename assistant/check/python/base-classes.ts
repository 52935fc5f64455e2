import type { Dialect } from "../../../robot/dialects/dialects.ts";
import type { ClassDef } from "../../python/syntax-tree.ts";
import { resolveName, type Scope } from "./scope.ts";

/** The full names under which the base class of apps can be imported. */
const baseClassNames = ({ sdk }: Dialect): readonly string[] =>
  [sdk.module, sdk.appModule, `${sdk.module}.apps`].map((module) => `${module}.${sdk.appClass}`);

/** The base classes of a class, direct and indirect. */
export interface BaseClasses {
  /** The class itself and its base classes in the same module, the class first. */
  classes: ClassDef[];
  /** Whether it extends the dialect's base class of apps. */
  extendsRobotApp: boolean;
  /** Base classes from other modules, by their full dotted names; their contents are unknown. */
  external: string[];
  /** Base classes whose names the module does not define, as written. */
  unknown: string[];
}

/** Follows the base classes of a class through its own module. */
export function findBaseClasses(start: ClassDef, scope: Scope, dialect: Dialect): BaseClasses {
  const names = baseClassNames(dialect);
  const found: BaseClasses = { classes: [], extendsRobotApp: false, external: [], unknown: [] };
  const follow = (each: ClassDef): void => {
    if (found.classes.includes(each)) return;
    found.classes.push(each);
    for (const base of each.bases) {
      const definition = resolveName(base, scope);
      if (typeof definition === "string") {
        if (names.includes(definition)) found.extendsRobotApp = true;
        else found.external.push(definition);
      } else if (definition?.kind === "ClassDef") follow(definition);
      else found.unknown.push(base.text);
    }
  };
  follow(start);
  return found;
}
