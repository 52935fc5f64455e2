import type { ClassDef } from "../../python/syntax-tree.ts";
import { resolveName, type Scope } from "./scope.ts";

const ROBOT_APP: readonly unknown[] = ["robot_sdk.RobotApp", "robot_sdk.app.RobotApp"];

/** The base classes of a class, direct and indirect. */
export interface BaseClasses {
  /** The class itself and its base classes in the same module, the class first. */
  classes: ClassDef[];
  extendsRobotApp: boolean;
  /** Base classes from other modules, by their full dotted names; their contents are unknown. */
  external: string[];
  /** Base classes whose names the module does not define, as written. */
  unknown: string[];
}

/** Follows the base classes of a class through its own module. */
export function findBaseClasses(start: ClassDef, scope: Scope): BaseClasses {
  const found: BaseClasses = { classes: [], extendsRobotApp: false, external: [], unknown: [] };
  const follow = (each: ClassDef): void => {
    if (found.classes.includes(each)) return;
    found.classes.push(each);
    for (const base of each.bases) {
      const definition = resolveName(base, scope);
      if (ROBOT_APP.includes(definition)) found.extendsRobotApp = true;
      else if (typeof definition === "string") found.external.push(definition);
      else if (definition?.kind === "ClassDef") follow(definition);
      else found.unknown.push(base.text);
    }
  };
  follow(start);
  return found;
}
