/** What one run of an app saw, by field. */
export type Fingerprint = Readonly<Record<string, unknown>>;

/** Before the fields, in a line that the app printed. */
const WORD = "FINGERPRINT ";

/** The fingerprints among lines of output. */
export function fingerprintsIn(lines: readonly string[]): Fingerprint[] {
  return lines.flatMap((line) => {
    const at = line.indexOf(WORD);
    return at < 0 ? [] : [JSON.parse(line.slice(at + WORD.length)) as Fingerprint];
  });
}

/**
 * The fields by which a run of one kind can be told from each run of the other, sorted: they share no value; numbers are in
 * ranges without overlap.
 */
export function tellingFields(one: readonly Fingerprint[], other: readonly Fingerprint[]): string[] {
  const names = new Set([...one, ...other].flatMap((seen) => Object.keys(seen)));
  return [...names].filter((name) => isTelling(valuesOf(one, name), valuesOf(other, name))).sort();
}

const valuesOf = (fingerprints: readonly Fingerprint[], name: string): unknown[] =>
  fingerprints.map((seen) => seen[name] ?? null);

function isTelling(one: readonly unknown[], other: readonly unknown[]): boolean {
  if ([...one, ...other].every((value) => typeof value === "number")) {
    const [first, second] = [one as number[], other as number[]];
    return Math.max(...first) < Math.min(...second) || Math.max(...second) < Math.min(...first);
  }
  const texts = new Set(one.map((value) => JSON.stringify(value)));
  return !other.some((value) => texts.has(JSON.stringify(value)));
}

/** The names of fields, with `*` for any end, that a page lists between two comments, each in backticks. */
export function listedFields(page: string): string[] {
  const [, table = ""] = /<!-- fields of a fingerprint -->([\s\S]*?)<!-- end -->/.exec(page) ?? [];
  return [...table.matchAll(/`([a-z]+\.[\w*/-]*)`/g)].map(([, name = ""]) => name);
}

/** Whether a list has a field. */
export const isListed = (list: readonly string[], field: string): boolean =>
  list.some((name) => (name.endsWith("*") ? field.startsWith(name.slice(0, -1)) : name === field));
