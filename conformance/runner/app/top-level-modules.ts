import {
  installedDistributions,
  type RecordedFile,
  recordOf,
} from "../../../daemon/apps/install/environment/installed-distributions.ts";
import { sameName } from "../../../robot/wire/apps/app-search.ts";

/**
 * A file of a module, or within its package: the first group is its name. A compiled module names its platform, as
 * `fast.cpython-311-x86_64-linux-gnu.so`; a folder of libraries like `pkg.libs` is no package.
 */
const MODULE_FILE = /^([\p{L}_][\p{L}\p{N}_]*)(?:\/.*|\.[\w-]+)?\.(?:py|so)$/u;

/** The names of the packages and modules that a distribution has put into an environment. */
export async function topLevelModulesOf(venv: string, distribution: string): Promise<string[]> {
  const files = await recordOfDistribution(venv, distribution);
  const names = files.flatMap(({ file }) => MODULE_FILE.exec(file)?.[1] ?? []);
  return [...new Set(names)].sort();
}

/** The files that a distribution has put into an environment; none when it is not there. */
export async function recordOfDistribution(venv: string, distribution: string): Promise<readonly RecordedFile[]> {
  const found = (await installedDistributions(venv)).find(({ name }) => sameName(name, distribution));
  return found === undefined ? [] : recordOf(found);
}
