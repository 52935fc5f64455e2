/** Where and why a text does not parse. Lines count from 1; null when the parser does not say. */
interface ParseFault {
  message: string;
  line: number | null;
}

/** The content of a file, or why there is none. */
export type Parsed<T> =
  | { status: "missing" }
  | { status: "broken"; error: ParseFault }
  | { status: "parsed"; text: string; value: T };

/** Parses the text of a file that may be missing (undefined) or not UTF-8 text (null). */
export function parseFile<T>(
  text: string | null | undefined,
  parse: (text: string) => { value: T } | { error: ParseFault },
): Parsed<T> {
  if (text === undefined) return { status: "missing" };
  if (text === null) return { status: "broken", error: { message: "it is not UTF-8 text, or over 1 MB", line: null } };
  const result = parse(text);
  return "error" in result
    ? { status: "broken", error: result.error }
    : { status: "parsed", text, value: result.value };
}

/** The number of the first line that matches a pattern, from 1; null when none does. */
export function lineNumberOf(text: string, pattern: RegExp): number | null {
  const at = text.split("\n").findIndex((line) => pattern.test(line));
  return at < 0 ? null : at + 1;
}
