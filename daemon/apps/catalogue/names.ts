import { distance } from "fastest-levenshtein";
import { normaliseName, sameName } from "../../../robot/wire/app-search.ts";

/** A name that is safe as a file name, in a URL and on a command line. */
export const APP_NAME = /^[A-Za-z0-9][A-Za-z0-9._-]{0,127}$/;

export function isAppName(name: string): boolean {
  return APP_NAME.test(name);
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

/** How many names a sentence lists. */
const LISTED = 12;

/**
 * What may have been meant by the name of no app, and which apps there are, as sentences with a space before each.
 * @param offered the apps of a hub; those with near names are named
 */
export function nameHints(
  name: string,
  installed: readonly string[],
  offered: readonly { name: string }[] = [],
): string {
  const near = nearNames(name, installed);
  const there = nearNames(
    name,
    offered.map((app) => app.name).filter((other) => !installed.some((one) => sameName(one, other))),
  );
  const rest = installed.length - LISTED;
  return [
    near.length > 0 ? ` Did you mean ${near.join(" or ")}?` : "",
    there.length > 0 ? ` The hub offers ${there.join(", ")}.` : "",
    installed.length > 0
      ? ` Installed: ${installed.slice(0, LISTED).join(", ")}${rest > 0 ? ` and ${rest} more` : ""}.`
      : " No app is installed; install one first: robot-daemon install FOLDER.",
  ].join("");
}

function startAlike(asked: string, candidate: string): boolean {
  const known = normaliseName(candidate);
  return asked.length >= 3 && (known.startsWith(asked) || asked.startsWith(known));
}
