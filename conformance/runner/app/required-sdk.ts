import { readdir } from "node:fs/promises";
import { sitePackagesOf } from "../../../daemon/apps/catalogue/installed-apps.ts";
import { findMatchingVersions } from "../../../daemon/apps/install/own/python-versions.ts";
import type { Host } from "../host.ts";

/** Which versions of a distribution an app requires, such as `>=1.8,<2`, or an empty text for any; null where it names none. */
export function requiredVersions(dependencies: readonly string[], distribution: string): string | null {
  const name = distribution.split("-").join("[-_.]+");
  const pattern = new RegExp(`^\\s*${name}(?![\\w.-])\\s*(?:\\[[^\\]]*\\])?\\s*\\(?([^;@()]*)\\)?\\s*(?:;.*)?$`, "i");
  return dependencies.map((each) => pattern.exec(each)?.[1]?.trim() ?? null).find((each) => each !== null) ?? null;
}

/**
 * Whether an environment has one of the versions that an app requires: another one in its place would leave packages behind
 * that it does not bring.
 */
export async function hasVersion(
  venv: string,
  distribution: string,
  required: string,
  { env, signal }: Host,
): Promise<boolean> {
  const folders = await Promise.all((await sitePackagesOf(venv)).map((folder) => readdir(folder)));
  const pattern = new RegExp(`^${distribution.split("-").join("[-_.]+")}-([^-]+)\\.dist-info$`, "i");
  const version = folders
    .flat()
    .map((folder) => pattern.exec(folder)?.[1] ?? null)
    .find((each) => each !== null);
  if (version === undefined || version === null) return false;
  const found = await findMatchingVersions(required, [version], { venv, env, signal });
  return typeof found === "object" && found !== null && found.admitted.includes(version);
}
