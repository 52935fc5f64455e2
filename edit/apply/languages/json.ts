import { parser } from "@lezer/json";
import type { SyntaxFault } from "../../../common/syntax-fault.ts";
import { firstError, lineAt } from "./first-error.ts";

/** Where the engine's messages say what is wrong, before they say where. */
const REASON = /^(.*?)(?:, (?:\.\.\.)?".*| in JSON at position .*)$/s;

/** The first syntax error of a JSON text, by the engine's own parser; the engine does not always say where. */
export function jsonSyntaxErrors(source: string): SyntaxFault[] {
  const text = source.replace(/^\uFEFF/, "");
  try {
    JSON.parse(text);
    return [];
  } catch (error) {
    const { message } = error as SyntaxError;
    const reason = `${REASON.exec(message)?.[1] ?? message}.`;
    const [found] = firstError(parser.parse(text), ({ type, from }) =>
      type.isError ? { line: lineAt(text, from), message: reason } : null,
    );
    return [found ?? { line: 1, message: reason }];
  }
}
