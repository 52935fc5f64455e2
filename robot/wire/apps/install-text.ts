import type { InstallFigures } from "./install-figures.ts";

/** For people: `3 packages, 12.3 MB, 8.2 s`. */
export function installedText({ packages, bytes, seconds }: InstallFigures): string {
  return `${packages} ${packages === 1 ? "package" : "packages"}, ${(bytes / 1e6).toFixed(1)} MB, ${seconds.toFixed(1)} s`;
}
