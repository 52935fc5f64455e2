import { distance } from "fastest-levenshtein";

/** A name that is safe as a file name, in a URL and on a command line. */
const NAME = /^[A-Za-z0-9][A-Za-z0-9._-]{0,127}$/;

export function isAppName(name: string): boolean {
  return NAME.test(name);
}

/** The form in which names compare: PEP 503, with the underscore of Python modules. */
export function normaliseName(name: string): string {
  return name.toLowerCase().replace(/[-_.]+/g, "_");
}

export function sameName(one: string, other: string): boolean {
  return normaliseName(one) === normaliseName(other);
}

/** Those of the known names that somebody may have meant, the nearest first, at most three. */
export function nearNames(name: string, known: readonly string[]): string[] {
  const asked = normaliseName(name);
  return known
    .map((candidate) => ({ candidate, edits: distance(asked, normaliseName(candidate)) }))
    .filter(({ candidate, edits }) => edits <= Math.max(2, asked.length / 4) || startAlike(asked, candidate))
    .sort((one, other) => one.edits - other.edits)
    .slice(0, 3)
    .map(({ candidate }) => candidate);
}

function startAlike(asked: string, candidate: string): boolean {
  const known = normaliseName(candidate);
  return asked.length >= 3 && (known.startsWith(asked) || asked.startsWith(known));
}
