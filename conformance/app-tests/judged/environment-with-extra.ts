import { mkdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { parsePyproject, tableOf, valueAt } from "../../../assistant/check/app/pyproject.ts";
import { copyTree } from "../../../common/machine/copy-tree.ts";
import { systemClock } from "../../../common/time/clock.ts";
import { installInto } from "../../../daemon/apps/install/tools/installer.ts";
import { findUv } from "../../../daemon/start/prepare.ts";
import type { Host } from "../../runner/host.ts";
import { confineInstaller } from "../../runner/isolation/confine-installer.ts";
import type { IsolationPlan } from "../../runner/isolation/isolation-plan.ts";
import { PYTEST, TEST_EXTRA } from "../pytest.ts";

interface ExtraOptions {
  /** The environment with the app in it, which stays as it is. */
  venv: string;
  /** The clean environment that `venv` was made from. */
  clean: string;
  /** A copy of the app's files. */
  copy: string;
  /** A folder for everything that is written. */
  into: string;
  isolation: IsolationPlan;
  host: Host;
}

/**
 * The environment of an app's tests: that of the app, or a copy of it with what the app's extra `test` names.
 * @throws WorkbenchError `install-failed`, `index-unreachable`, `disk-full`, `deadline-passed`; the host's signal's reason
 */
export async function environmentWithExtra(options: ExtraOptions): Promise<string> {
  const { venv, clean, copy, into, isolation, host } = options;
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
