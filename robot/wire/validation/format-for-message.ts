const MAX_TEXT_LENGTH = 60;
const MAX_ITEMS = 4;
const MAX_DEPTH = 2;

/**
 * Formats a value from outside for an error message: like JSON, but short for any size and depth of the value. Control
 * characters are escaped.
 */
export function formatForMessage(value: unknown, depth = 0): string {
  if (typeof value === "string") return JSON.stringify(shortened(value));
  if (typeof value !== "object" || value === null) return shortened(String(value));
  const isList = Array.isArray(value);
  const [open, close] = isList ? "[]" : "{}";
  // The keys of a list are not made, because it may have millions of items.
  const keys = isList ? [...value.slice(0, MAX_ITEMS + 1).keys()].map(String) : Object.keys(value);
  if (keys.length === 0) return `${open}${close}`;
  if (depth === MAX_DEPTH) return `${open}…${close}`;
  const parts = keys.slice(0, MAX_ITEMS).map((key) => {
    const inner = formatForMessage((value as Record<string, unknown>)[key], depth + 1);
    return isList ? inner : `${JSON.stringify(shortened(key))}: ${inner}`;
  });
  if (keys.length > MAX_ITEMS) parts.push("…");
  return `${open}${parts.join(", ")}${close}`;
}

function shortened(text: string): string {
  return text.length > MAX_TEXT_LENGTH ? `${text.slice(0, MAX_TEXT_LENGTH)}…` : text;
}
