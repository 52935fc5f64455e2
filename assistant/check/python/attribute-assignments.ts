import { type ClassDef, type Expression, walk } from "../../../common/python/syntax-tree.ts";
import type { AppClass } from "./app-class.ts";
import type { Located } from "./app-modules.ts";

/** An assignment to an attribute of the app's class. */
export interface AttributeAssignment {
  value: Expression;
  /** Where it is. */
  file: string;
  line: number;
}

/** The assignments of `custom_app_url` in the app's class and in the base classes that the app defines. */
export const urlAssignments = ({ bases }: AppClass): AttributeAssignment[] =>
  bases.classes.flatMap((each) => assignmentsIn(each, "custom_app_url"));

/** The assignments that count: those of the app's class, else of the nearest base class that has some. */
export const effectiveAssignments = ({ bases }: AppClass, attribute: string): AttributeAssignment[] =>
  bases.classes.map((each) => assignmentsIn(each, attribute)).find(({ length }) => length > 0) ?? [];

function assignmentsIn({ definition, module }: Located<ClassDef>, attribute: string): AttributeAssignment[] {
  const isAttribute = (target: Expression): boolean =>
    (target.kind === "Name" && target.id === attribute) ||
    (target.kind === "Attribute" && target.attribute === attribute);
  return [...walk(definition)].flatMap((node) => {
    if (node.kind !== "Assign" && node.kind !== "AnnAssign") return [];
    const targets = node.kind === "Assign" ? node.targets : [node.target];
    if (!targets.some(isAttribute) || node.value === undefined) return [];
    return [{ value: node.value, file: module.file, line: node.line }];
  });
}
