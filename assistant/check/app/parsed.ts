/** Where and why a text does not parse. Lines count from 1; null when the parser does not say. */
export interface Fault {
  message: string;
  line: number | null;
}

/** What a file says, or why it says nothing. */
export type Parsed<T> =
  | { status: "missing" }
  | { status: "broken"; fault: Fault }
  | { status: "parsed"; text: string; value: T };

/** Parses a file that may be missing; `parse` gives the value or the fault. */
export function parsedOf<T>(
  text: string | null | undefined,
  parse: (text: string) => { value: T } | { fault: Fault },
): Parsed<T> {
  if (text === undefined) return { status: "missing" };
  if (text === null) return { status: "broken", fault: { message: "it is not text, or over 1 MB", line: null } };
  const result = parse(text);
  return "fault" in result
    ? { status: "broken", fault: result.fault }
    : { status: "parsed", text, value: result.value };
}

/** The number of the first line that a pattern matches, from 1; null when none does. */
export function lineOf(text: string, pattern: RegExp): number | null {
  const at = text.split("\n").findIndex((line) => pattern.test(line));
  return at < 0 ? null : at + 1;
}
