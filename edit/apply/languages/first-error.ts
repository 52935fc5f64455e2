import type { SyntaxNodeRef, Tree } from "@lezer/common";
import type { SyntaxFault } from "../../../common/syntax-fault.ts";

/** Characters of the text that a message quotes. */
const MAX_QUOTE = 30;

/** The line of a place in a text, from 1. */
export const lineAt = (text: string, offset: number): number => text.slice(0, offset).split("\n").length;

/** The first word at a place, quoted for a message; the end of the file when nothing follows. */
export function quoteAt(text: string, offset: number): string {
  const [found = ""] = /^\s*(?:[\w-]+|\S)?/.exec(text.slice(offset, offset + MAX_QUOTE)) ?? [];
  return found.trim() === "" ? "The end of the file" : `\`${found.trim()}\``;
}

/**
 * The first error in the tree of a parser that goes on after errors.
 * @param describe makes the fault of a node that is one; null for any other
 */
export function firstError(tree: Tree, describe: (node: SyntaxNodeRef) => SyntaxFault | null): SyntaxFault[] {
  let first: SyntaxFault | null = null;
  tree.iterate({
    enter(node) {
      first ??= describe(node);
      return first === null;
    },
  });
  return first === null ? [] : [first];
}
