import { readFile } from "node:fs/promises";
import { arch, availableParallelism, platform, release, totalmem } from "node:os";
import { join } from "node:path";
import { installedDistributions } from "../../daemon/apps/install/environment/installed-distributions.ts";
import type { Environment } from "../verdict/verdict.ts";

const GIGABYTE = 2 ** 30;

/**
 * What a verdict was made with.
 * @param version of the workbench, of which daemon and simulator are parts
 * @param venv the environment with the app in it; null when there is none
 */
export async function describeEnvironment(
  version: string,
  venv: string | null,
  options: Environment["options"],
): Promise<Environment> {
  const installed = venv === null ? [] : await installedDistributions(venv);
  const config = venv === null ? "" : await readFile(join(venv, "pyvenv.cfg"), "utf8").catch(() => "");
  const dependencies = installed.map((each) => [each.name, each.version] as const).sort();
  return {
    suite: version,
    daemon: version,
    simulator: version,
    sdk: installed.find(({ name }) => name === "robot-sdk")?.version ?? null,
    python: /^version(?:_info)?\s*=\s*(\S+)/m.exec(config)?.[1] ?? null,
    dependencies: Object.fromEntries(dependencies),
    options,
    machine: {
      system: `${platform()} ${release()}`,
      architecture: arch(),
      processors: availableParallelism(),
      memoryGb: Math.round(totalmem() / GIGABYTE),
    },
  };
}
