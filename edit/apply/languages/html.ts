import type { SyntaxNode, SyntaxNodeRef } from "@lezer/common";
import { parser } from "@lezer/html";
import type { SyntaxFault } from "../../../common/syntax-fault.ts";
import { firstError, lineAt, quoteAt } from "./first-error.ts";

/** Elements whose end tag may be left out. */
const ENDS_BY_ITSELF =
  /^<(?:html|head|body|p|li|d[td]|t[hdr]|thead|tbody|tfoot|colgroup|option|optgroup|r[bpt]|rtc)\b/i;

/** The first element of an HTML text that is not closed or not open, or tag or comment that is not complete. */
export const htmlSyntaxErrors = (text: string): SyntaxFault[] =>
  firstError(parser.parse(text), (node) => describe(text, node));

function describe(text: string, { name, type, from, to, node }: SyntaxNodeRef): SyntaxFault | null {
  const fault = (message: string, at = from) => ({ line: lineAt(text, at), message });
  if (name === "Element") return isOpen(text, node) ? fault(`${tagOf(text, node)} is not closed.`) : null;
  if (name === "MismatchedCloseTag") return fault(`${text.slice(from, to)} closes no element that is open.`);
  if (name === "IncompleteCloseTag") return fault("The tag is not complete.");
  if (!type.isError) return null;
  for (let parent = node.parent; parent !== null; parent = parent.parent) {
    if (/Tag$/.test(parent.name)) return fault(`${tagOf(text, parent)} is not complete.`, parent.from);
    if (/Comment|DoctypeDecl/.test(parent.name))
      return fault(`${parent.name === "Comment" ? "The comment" : "The doctype"} is not closed.`, parent.from);
  }
  return fault(`${quoteAt(text, from)} is not expected here.`);
}

/** Whether an element has a tag that is complete, and an end tag is missing. */
function isOpen(text: string, { firstChild: tag, lastChild }: SyntaxNode): boolean {
  if (tag?.name !== "OpenTag" || lastChild?.name === "CloseTag" || tag.lastChild?.type.isError) return false;
  return !ENDS_BY_ITSELF.test(text.slice(tag.from, tag.to));
}

/** The tag that a node begins with, without its attributes. */
const tagOf = (text: string, { from, to }: SyntaxNode): string =>
  text.slice(from, to).replace(/^(<\/?[^\s/>]*).*$/s, "$1>");
