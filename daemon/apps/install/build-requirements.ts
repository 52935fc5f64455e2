import { readdir } from "node:fs/promises";
import { sameName } from "../../../robot/wire/app-search.ts";
import { sitePackagesOf } from "../catalogue/catalogue.ts";

/** From this version on setuptools make wheels by themselves. */
const WHEEL_MAKER = "setuptools>=70.1";

/**
 * True when the environment itself holds all that a build asks for. Understands a bare name and `>=`; anything more is
 * left to an isolated build.
 */
export async function canBuildWith(venv: string, requirements: readonly string[]): Promise<boolean> {
  const names = (
    await Promise.all((await sitePackagesOf(venv)).map((folder) => readdir(folder).catch(() => [])))
  ).flat();
  return [WHEEL_MAKER, ...requirements].every((requirement) => names.some((name) => satisfies(name, requirement)));
}

/** @param record a folder name of site-packages, `setuptools-80.9.0.dist-info` */
export function satisfies(record: string, requirement: string): boolean {
  const [, installed, version = ""] = /^(.+)-([^-]+)\.dist-info$/.exec(record) ?? [];
  const [, wanted, least] = /^\s*([A-Za-z0-9._-]+)\s*(?:>=\s*([0-9.]+))?\s*$/.exec(requirement) ?? [];
  if (installed === undefined || wanted === undefined || !sameName(installed, wanted)) return false;
  return least === undefined || compareVersions(version, least) >= 0;
}

function compareVersions(one: string, other: string): number {
  const [left, right] = [one, other].map((version) => version.split(".").map((part) => Number.parseInt(part, 10) || 0));
  for (let at = 0; at < Math.max(left?.length ?? 0, right?.length ?? 0); at += 1) {
    const difference = (left?.[at] ?? 0) - (right?.[at] ?? 0);
    if (difference !== 0) return difference;
  }
  return 0;
}
