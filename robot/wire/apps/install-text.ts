import type { InstallFigures } from "./app-status.ts";

/** For people: `3 packages, 12.3 MB, 8.2 s`. */
export function installedText({ packages, bytes, seconds }: InstallFigures): string {
  return `${packages} ${packages === 1 ? "package" : "packages"}, ${sizeText(bytes)}, ${seconds.toFixed(1)} s`;
}

/** For people: `12 kB`, `12.3 MB`. */
export const sizeText = (bytes: number): string =>
  bytes < 1e5 ? `${Math.ceil(bytes / 1000)} kB` : `${(bytes / 1e6).toFixed(1)} MB`;
