/**
 * Parses JSON in which NaN and Infinity, which JSON does not have, become null, so that a schema names the field.
 * @returns undefined for what is no JSON
 */
export function parseLoosely(text: string): unknown {
  try {
    return JSON.parse(text.replace(/\b(?:NaN|-?Infinity)\b/g, "null"));
  } catch {
    return undefined;
  }
}
