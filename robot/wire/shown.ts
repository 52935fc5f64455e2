const LONGEST_TEXT = 60;
const MOST_ITEMS = 4;
const DEEPEST = 2;

/**
 * A value that came from outside, for a sentence: nearly JSON, but never long, however large or deep the value is.
 * Control characters are escaped.
 */
export function shown(value: unknown, depth = 0): string {
  if (typeof value === "string") return JSON.stringify(shortened(value));
  if (typeof value !== "object" || value === null) return shortened(String(value));
  const isList = Array.isArray(value);
  const [open, close] = isList ? "[]" : "{}";
  const keys = Object.keys(value);
  if (keys.length === 0) return `${open}${close}`;
  if (depth === DEEPEST) return `${open}…${close}`;
  const parts = keys.slice(0, MOST_ITEMS).map((key) => {
    const inner = shown((value as Record<string, unknown>)[key], depth + 1);
    return isList ? inner : `${JSON.stringify(shortened(key))}: ${inner}`;
  });
  if (keys.length > MOST_ITEMS) parts.push("…");
  return `${open}${parts.join(", ")}${close}`;
}

function shortened(text: string): string {
  return text.length > LONGEST_TEXT ? `${text.slice(0, LONGEST_TEXT)}…` : text;
}
