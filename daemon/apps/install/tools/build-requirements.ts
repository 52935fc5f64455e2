import { compareVersions } from "../../../../common/compare-versions.ts";
import { sameName } from "../../../../robot/wire/apps/app-search.ts";
import { type InstalledDistribution, installedDistributions } from "../environment/installed-distributions.ts";

/** From this version on, setuptools needs no other package to build a wheel. */
const WHEEL_BUILDER = "setuptools>=70.1";

/**
 * True when the environment itself holds all that a build requires. Any requirement that `areInstalled` does not understand
 * is left to an isolated build.
 */
export const hasBuildRequirements = (venv: string, requirements: readonly string[]): Promise<boolean> =>
  areInstalled(venv, [WHEEL_BUILDER, ...requirements]);

/** True when an environment holds all requirements. Understands a bare name and `>=`; for any other requirement, false. */
export async function areInstalled(venv: string, requirements: readonly string[]): Promise<boolean> {
  const installed = await installedDistributions(venv);
  return requirements.every((requirement) => installed.some((distribution) => satisfies(distribution, requirement)));
}

function satisfies({ name, version }: InstalledDistribution, requirement: string): boolean {
  const [, required, minimum] = /^\s*([A-Za-z0-9._-]+)\s*(?:>=\s*([0-9.]+))?\s*$/.exec(requirement) ?? [];
  if (required === undefined || !sameName(name, required)) return false;
  return minimum === undefined || compareVersions(version, minimum) >= 0;
}
