/**
 * Whitespace as in Python's `str.split()`, `str.strip()` and `str.lstrip()`. JavaScript's `\s` differs: it has U+FEFF
 * and lacks U+001C..U+001F and U+0085. The history blocks of training data were made with Python's definition.
 */
const SPACE = "\\t-\\r\\x1c-\\x20\\x85\\xa0\\u1680\\u2000-\\u200a\\u2028\\u2029\\u202f\\u205f\\u3000";
const LEADING = new RegExp(`^[${SPACE}]*`);
const RUN = new RegExp(`[${SPACE}]+`);
const BLANK = new RegExp(`^[${SPACE}]*$`);

/** `not text.strip()`: true for an empty text and for whitespace alone. */
export function isBlank(text: string): boolean {
  return BLANK.test(text);
}

/** `len(line) - len(line.lstrip())`: the characters of indentation, all of a blank line. */
export function indentation(line: string): number {
  return LEADING.exec(line)?.[0].length ?? 0;
}

/** `" ".join(text.split())`: runs of whitespace become one space, none at the ends. */
export function collapseSpace(text: string): string {
  return text
    .split(RUN)
    .filter((word) => word !== "")
    .join(" ");
}
