import { type ClassDef, type Expression, walk } from "../../../common/python/syntax-tree.ts";
import type { AppClass } from "./app-class.ts";
import type { Located } from "./app-modules.ts";

/** An assignment to an attribute of the app's class: in its body, or in a method through any object (`self.x = 1`). */
export interface AttributeAssignment {
  value: Expression;
  /** The file, relative to the app's folder, and the line, from 1. */
  file: string;
  line: number;
}

/** The assignments to an attribute in the app's class and in the base classes that the app defines. */
export const allAssignments = ({ bases }: AppClass, attribute: string): AttributeAssignment[] =>
  bases.classes.flatMap((each) => assignmentsIn(each, attribute));

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
