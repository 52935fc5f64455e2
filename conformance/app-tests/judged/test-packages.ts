import { existsSync } from "node:fs";
import { mkdir, mkdtemp, readFile, rename } from "node:fs/promises";
import { dirname, join } from "node:path";
import { parsePyproject, tableOf, valueAt } from "../../../assistant/check/app/pyproject.ts";
import { copyTree } from "../../../common/machine/copy-tree.ts";
import { removeTree } from "../../../common/machine/remove-tree.ts";
import { systemClock } from "../../../common/time/clock.ts";
import { installInto, installIntoFolder } from "../../../daemon/apps/install/tools/installer.ts";
import { findUv } from "../../../daemon/start/prepare.ts";
import type { Host } from "../../runner/host.ts";
import { confineInstaller } from "../../runner/isolation/confine-installer.ts";
import type { IsolationPlan } from "../../runner/isolation/isolation-plan.ts";
import { PYTEST, TEST_EXTRA } from "../pytest.ts";

/** An installed app whose tests are run. */
export interface TestedApp {
  /** The environment with the app in it, which stays as it is. */
  venv: string;
  /** The clean environment that `venv` was made from. */
  clean: string;
  /** A folder for everything that is written. */
  into: string;
  isolation: IsolationPlan;
  host: Host;
}

/**
 * A folder with pytest and what it needs, for the Python of a clean environment; made once. The environment of an app that is
 * judged has no pytest, by which the app could tell it from that of a robot.
 * @param clean the clean environment, beside which the folder is
 * @throws WorkbenchError `index-unreachable`, `install-failed`; the host's signal's reason
 */
export async function pytestPackages(clean: string, { env, signal }: Host): Promise<string> {
  const folder = join(dirname(clean), "pytest");
  if (existsSync(folder)) return folder;
  const scratch = await mkdtemp(join(dirname(clean), "pytest-"));
  try {
    const target = join(scratch, "packages");
    const parts = { venv: clean, uv: await findUv(env, undefined, signal), env: { ...env, UV_LINK_MODE: "copy" } };
    const run = { clock: systemClock, signal, onLine: () => {}, scratch };
    await installIntoFolder(parts, { ...run, packages: [PYTEST], target });
    // Another certification may have made it meanwhile.
    await rename(target, folder).catch((error) => {
      if (!existsSync(folder)) throw error;
    });
    return folder;
  } finally {
    await removeTree(scratch);
  }
}

/**
 * The environment of an app's tests: that of the app, or a copy of it with what the app's extra `test` names.
 * @param copy a copy of the app's files
 * @throws WorkbenchError `install-failed`, `index-unreachable`, `disk-full`, `deadline-passed`; the host's signal's reason
 */
export async function environmentWithExtra(
  copy: string,
  { venv, clean, into, isolation, host }: TestedApp,
): Promise<string> {
  const parsed = parsePyproject(await readFile(join(copy, "pyproject.toml"), "utf8"));
  if ("error" in parsed) return venv;
  const { name, document } = parsed.value;
  if (tableOf(valueAt(document, "project", "optional-dependencies"))?.[TEST_EXTRA] === undefined) return venv;
  const withExtra = join(into, "venv");
  copyTree(venv, withExtra);
  const confine = confineInstaller(isolation, { clean, into, venv: withExtra });
  const scratch = join(into, "scratch");
  await mkdir(scratch);
  const { env, signal } = host;
  const parts = {
    venv: withExtra,
    uv: await findUv(env, (command) => confine(command, "scratch"), signal),
    env: { ...env, UV_LINK_MODE: "copy" },
    confine,
    trustedPython: isolation.python,
  };
  const run = { clock: systemClock, signal, onLine: () => {}, scratch };
  const packages = [`${copy}[${TEST_EXTRA}]`, PYTEST];
  await installInto(parts, { ...run, packages, reinstall: String(name), isolated: true });
  return withExtra;
}
