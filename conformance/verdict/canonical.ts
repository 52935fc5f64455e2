/**
 * JSON in its one canonical form: no spaces, keys sorted by UTF-16 units, numbers as ECMAScript writes them (RFC 8785).
 * What JSON has no way to write is left out, as JSON.stringify does.
 */
export function canonicalJson(value: unknown): string {
  return JSON.stringify(sorted(JSON.parse(JSON.stringify(value))));
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (value === null || typeof value !== "object") return value;
  // A Map would lose its order in JSON, and an object puts keys that are numbers first: those are no keys of verdicts.
  const entries = Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1));
  return Object.fromEntries(entries.map(([key, inner]) => [key, sorted(inner)]));
}
