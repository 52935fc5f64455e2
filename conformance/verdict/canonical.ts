/**
 * JSON in its one canonical form: no spaces, keys sorted by UTF-16 units, numbers as ECMAScript writes them (RFC 8785).
 * What JSON has no way to write is left out, as JSON.stringify does.
 */
export function canonicalJson(value: unknown): string {
  return written(JSON.parse(JSON.stringify(value)));
}

function written(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(written).join(",")}]`;
  if (value === null || typeof value !== "object") return JSON.stringify(value);
  const entries = Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1));
  return `{${entries.map(([key, inner]) => `${JSON.stringify(key)}:${written(inner)}`).join(",")}}`;
}
