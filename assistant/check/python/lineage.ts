import { type ClassDef, unparse } from "py-ast";
import { meaningOf, type Scope } from "./scope.ts";

const ROBOT_APP: readonly unknown[] = ["robot_sdk.RobotApp", "robot_sdk.app.RobotApp"];

/** Where a class comes from. */
export interface Lineage {
  /** The class and those of its module that it extends, itself first. */
  classes: ClassDef[];
  extendsRobotApp: boolean;
  /** Bases from other modules, by their full dotted names: what they are or bring along cannot be seen here. */
  foreign: string[];
  /** Bases of which the module does not say what they are, as written. */
  unknown: string[];
}

/** Follows the bases of a class through its own module. */
export function lineageOf(start: ClassDef, scope: Scope): Lineage {
  const lineage: Lineage = { classes: [], extendsRobotApp: false, foreign: [], unknown: [] };
  const follow = (each: ClassDef): void => {
    if (lineage.classes.includes(each)) return;
    lineage.classes.push(each);
    for (const base of each.bases) {
      const meaning = meaningOf(base, scope);
      if (ROBOT_APP.includes(meaning)) lineage.extendsRobotApp = true;
      else if (typeof meaning === "string") lineage.foreign.push(meaning);
      else if (meaning?.nodeType === "ClassDef") follow(meaning);
      else lineage.unknown.push(unparse(base));
    }
  };
  follow(start);
  return lineage;
}
