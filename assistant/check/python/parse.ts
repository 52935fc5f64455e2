import { type Module, parse } from "py-ast";
import type { Fault } from "../app/parsed.ts";

/** Parses a Python module, without running it. @throws TypeError or RangeError when the parser itself breaks */
export function parsePython(source: string): { value: Module } | { fault: Fault } {
  try {
    return { value: parse(withoutTrifles(source)) };
  } catch (error) {
    if (error instanceof Error && error.name === "Error") return { fault: faultOf(error.message) };
    throw error;
  }
}

/** The parser's errors are plain, and a few have no place. */
function faultOf(text: string): Fault {
  const [, message = text, line] = /^(.*) at line (\d+)(?:, column \d+)?$/s.exec(text) ?? [];
  return {
    message: message.charAt(0).toLowerCase() + message.slice(1),
    line: line === undefined ? null : Number(line),
  };
}

/** Python skips a byte order mark and form feeds (its reference, 2.1.4 and 2.1.8); the parser does not know them. */
function withoutTrifles(source: string): string {
  return source.replace(/^\uFEFF|\f/g, "");
}
