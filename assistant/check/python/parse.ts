import { type Module, parse } from "py-ast";
import type { Fault } from "../app/parsed.ts";

/** Parses a Python module, without running it. */
export function parsePython(source: string): { value: Module } | { fault: Fault } {
  try {
    return { value: parse(withoutTrifles(source)) };
  } catch (error) {
    const place = error instanceof Error ? /^(.*) at line (\d+)(?:, column \d+)?$/s.exec(error.message) : null;
    if (place === null) throw error;
    return { fault: { message: lowerFirst(place[1] ?? ""), line: Number(place[2]) } };
  }
}

/** Python skips a byte order mark and form feeds (its reference, 2.1.4 and 2.1.8); the parser does not know them. */
function withoutTrifles(source: string): string {
  return source.replace(/^\uFEFF|\f/g, "");
}

function lowerFirst(text: string): string {
  return text.charAt(0).toLowerCase() + text.slice(1);
}
