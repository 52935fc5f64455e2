import { readdir } from "node:fs/promises";
import { sitePackagesOf } from "../../../daemon/apps/catalogue/installed-apps.ts";
import { findMatchingVersions } from "../../../daemon/apps/install/own/python-versions.ts";
import type { Host } from "../host.ts";

/**
 * Which versions of a distribution an app requires, such as `>=1.8,<2`, or an empty text for any; null when no dependency
 * names the distribution, or one names it by an address (`name @ https://...`).
 * @param dependencies requirements of the project, as in pyproject.toml
 */
export function requiredVersions(dependencies: readonly string[], distribution: string): string | null {
  const pattern = new RegExp(
    `^\\s*${namePattern(distribution)}(?![\\w.-])\\s*(?:\\[[^\\]]*\\])?\\s*\\(?([^;@()]*)\\)?\\s*(?:;.*)?$`,
    "i",
  );
  return dependencies.map((each) => pattern.exec(each)?.[1]?.trim() ?? null).find((each) => each !== null) ?? null;
}

/**
 * Whether a distribution is installed in an environment in a version that an app requires. If not, the app needs an environment
 * without it: an install that replaces it leaves packages of the old version behind.
 * @param required version specifiers, of `requiredVersions`
 */
export async function hasMatchingVersion(
  venv: string,
  distribution: string,
  required: string,
  { env, signal }: Host,
): Promise<boolean> {
  const folders = await Promise.all((await sitePackagesOf(venv)).map((folder) => readdir(folder)));
  const pattern = new RegExp(`^${namePattern(distribution)}-([^-]+)\\.dist-info$`, "i");
  const version = folders
    .flat()
    .map((folder) => pattern.exec(folder)?.[1])
    .find((each) => each !== undefined);
  if (version === undefined) return false;
  const found = await findMatchingVersions(required, [version], { venv, env, signal });
  return typeof found === "object" && found !== null && found.admitted.includes(version);
}

/** Matches a distribution's name in every spelling: hyphens, underscores and dots are the same. */
const namePattern = (distribution: string): string => distribution.split("-").join("[-_.]+");
