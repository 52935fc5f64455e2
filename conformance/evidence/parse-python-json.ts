/** A string, in which these words are text, or one of the numbers that Python writes and JSON does not have. */
const STRING_OR_NUMBER = /"(?:[^"\\]|\\.)*"|-?\b(?:NaN|Infinity)\b/g;
/** JSON's way to write a number that becomes Infinity. */
const BEYOND_DOUBLES = "1e999";

/**
 * Parses JSON in which NaN and Infinity, which JSON does not have, become infinite: a schema then names the field. null would
 * be valid in a field that may be left out.
 * @returns undefined for what is no JSON
 */
export function parsePythonJson(text: string): unknown {
  try {
    return JSON.parse(text.replace(STRING_OR_NUMBER, (token) => (token.startsWith('"') ? token : BEYOND_DOUBLES)));
  } catch {
    return undefined;
  }
}
