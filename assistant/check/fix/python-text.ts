import type { Module } from "../../../common/python/syntax-tree.ts";

/** Adds a name to a module's imports from another module: to a line that has some, else on a line before all imports. */
export function importFrom(from: string, name: string, text: string, module: Module): string {
  const line = new RegExp(`^from ${from.replaceAll(".", "\\.")} import ([\\w, ]+?)[ \\t]*(\\r?)$`, "m");
  if (line.test(text)) return text.replace(line, (_, names, end) => `from ${from} import ${names}, ${name}${end}`);
  const first = module.body.find(
    (each) => each.kind === "Import" || (each.kind === "ImportFrom" && each.module !== "__future__"),
  );
  const statement = first ?? module.body.find((each) => each.kind === "ClassDef");
  const before = `from ${from} import ${name}${lineEndOf(text)}`;
  return editLine(text, statement?.line ?? 1, (found) => before + found);
}

/** Changes the line of this number, from 1. */
export function editLine(text: string, number: number, change: (line: string) => string): string {
  // A file with both kinds of line ends keeps them.
  return text
    .split(/(?<=\n)/)
    .map((line, index) => (index === number - 1 ? line.replace(/^[^\r\n]*/, change) : line))
    .join("");
}

/** Adds lines at the end, after a blank one or two. */
export function appendBlock(text: string, lines: readonly string[]): string {
  const end = lineEndOf(text);
  return [text.trimEnd(), "", "", ...lines, ""].join(end);
}

const lineEndOf = (text: string): string => (text.includes("\r\n") ? "\r\n" : "\n");
