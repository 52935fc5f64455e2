/**
 * Compares versions by their numbers: negative when the first is older. What follows a hyphen is ignored, and what follows the
 * digits of a part.
 */
export function compareVersions(one: string, other: string): number {
  const [left = [], right = []] = [one, other].map((version) =>
    (version.split("-")[0] ?? "").split(".").map((part) => Number.parseInt(part, 10) || 0),
  );
  for (let at = 0; at < Math.max(left.length, right.length); at += 1) {
    const difference = (left[at] ?? 0) - (right[at] ?? 0);
    if (difference !== 0) return difference;
  }
  return 0;
}
