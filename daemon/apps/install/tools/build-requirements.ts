import { compareVersions } from "../../../../common/compare-versions.ts";
import { sameName } from "../../../../robot/wire/apps/app-search.ts";
import { type InstalledDistribution, installedDistributions } from "../environment/installed-distributions.ts";

/** From this version on, setuptools needs no other package to build a wheel. */
const WHEEL_BUILDER = "setuptools>=70.1";

/**
 * True when the environment itself holds all that a build requires. Understands a bare name and `>=`; any other
 * requirement is left to an isolated build.
 */
export async function canBuildWith(venv: string, requirements: readonly string[]): Promise<boolean> {
  const installed = await installedDistributions(venv);
  return [WHEEL_BUILDER, ...requirements].every((requirement) =>
    installed.some((distribution) => satisfies(distribution, requirement)),
  );
}

function satisfies({ name, version }: InstalledDistribution, requirement: string): boolean {
  const [, required, minimum] = /^\s*([A-Za-z0-9._-]+)\s*(?:>=\s*([0-9.]+))?\s*$/.exec(requirement) ?? [];
  if (required === undefined || !sameName(name, required)) return false;
  return minimum === undefined || compareVersions(version, minimum) >= 0;
}
