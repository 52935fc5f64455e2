import { LineCounter, parseAllDocuments } from "yaml";
import type { SyntaxFault } from "../../../common/syntax-fault.ts";

/** Characters. Longer texts are not checked: the parser takes about 3 us for each. */
const MAX_TEXT = 50_000;

/** The first syntax error of a YAML text, which may have several documents. */
export function yamlSyntaxErrors(text: string): SyntaxFault[] {
  if (text.length > MAX_TEXT) return [];
  const lines = new LineCounter();
  const documents = parseAllDocuments(text, { prettyErrors: false, lineCounter: lines, logLevel: "silent" });
  const errors = Array.isArray(documents) ? documents.flatMap((document) => document.errors) : [];
  const [first] = errors.toSorted((a, b) => a.pos[0] - b.pos[0]);
  return first === undefined ? [] : [{ line: lines.linePos(first.pos[0]).line, message: `${first.message}.` }];
}
