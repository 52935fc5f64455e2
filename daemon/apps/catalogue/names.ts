import { closestMatches } from "../../../common/closest-match.ts";
import { normaliseName } from "../../../robot/wire/apps/app-search.ts";

/** A name that is safe as a file name, in a URL and on a command line. */
export const APP_NAME = /^[A-Za-z0-9][A-Za-z0-9._-]{0,127}$/;

export function isAppName(name: string): boolean {
  return APP_NAME.test(name);
}

/** How many similar names a sentence suggests, and how many installed apps it lists. */
const SUGGESTED = 3;
const LISTED = 12;

/** Up to three names that may have been meant by `name`, the closest first. Case, hyphens and underscores do not count. */
export function similarNames(name: string, known: readonly string[]): string[] {
  const byKey = new Map(known.map((candidate) => [normaliseName(candidate), candidate]));
  return closestMatches(normaliseName(name), [...byKey.keys()])
    .slice(0, SUGGESTED)
    .flatMap((key) => byKey.get(key) ?? []);
}

/**
 * Sentences, each with a space before it, on which apps may have been meant by an unknown name and which are installed.
 * @param offered the apps of the hub; only those with similar names are mentioned
 */
export function nameHints(
  name: string,
  installed: readonly string[],
  offered: readonly { name: string }[] = [],
): string {
  const installedKeys = new Set(installed.map(normaliseName));
  const onHubOnly = offered.map((app) => app.name).filter((other) => !installedKeys.has(normaliseName(other)));
  const similar = similarNames(name, installed);
  const similarOnHub = similarNames(name, onHubOnly);
  const more = installed.length - LISTED;
  return [
    similar.length > 0 ? ` Did you mean ${similar.join(" or ")}?` : "",
    similarOnHub.length > 0 ? ` The hub offers ${similarOnHub.join(", ")}.` : "",
    installed.length > 0
      ? ` Installed: ${installed.slice(0, LISTED).join(", ")}${more > 0 ? ` and ${more} more` : ""}.`
      : " No app is installed; install one first: robot-daemon install FOLDER.",
  ].join("");
}
