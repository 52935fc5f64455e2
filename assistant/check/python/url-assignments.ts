import { type ClassDef, type Expression, walk } from "../../python/syntax-tree.ts";
import type { AppClass } from "./app-class.ts";

/** An assignment to `custom_app_url` or to an attribute of that name. */
export interface UrlAssignment {
  value: Expression;
  line: number;
}

/** The assignments of `custom_app_url` in the app's class and in the base classes that the app defines. */
export const urlAssignments = ({ bases }: AppClass): UrlAssignment[] => bases.classes.flatMap(urlAssignmentsIn);

/** The assignments in one class. */
export function urlAssignmentsIn(definition: ClassDef): UrlAssignment[] {
  return [...walk(definition)].flatMap((node) => {
    if (node.kind !== "Assign" && node.kind !== "AnnAssign") return [];
    const targets = node.kind === "Assign" ? node.targets : [node.target];
    return targets.some(isUrl) && node.value !== undefined ? [{ value: node.value, line: node.line }] : [];
  });
}

const isUrl = (target: Expression): boolean =>
  (target.kind === "Name" && target.id === "custom_app_url") ||
  (target.kind === "Attribute" && target.attribute === "custom_app_url");
