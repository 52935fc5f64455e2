import { loadExeca } from "../../../common/machine/load-execa.ts";
import type { InstallerParts } from "../../../daemon/apps/install/tools/installer.ts";
import { pythonEnvironment } from "../../../daemon/apps/start/python-environment.ts";
import { findUv } from "../../../daemon/start/prepare.ts";
import type { Host } from "../host.ts";

const TIMEOUT_MS = 20_000;

/**
 * The `uv` program, when it also starts where the installer runs. One that a version manager put there may be a script that
 * needs files outside of the sandbox; every app would fail with it. Null: pip is used.
 * @param folder where the installer runs
 */
export async function findConfinedUv(
  { env, signal }: Host,
  confine: NonNullable<InstallerParts["confine"]>,
  folder: string,
): Promise<string | null> {
  const uv = await findUv(env);
  if (uv === null) return null;
  const command = { file: uv, args: ["--version"], cwd: folder, env: pythonEnvironment(env) };
  const confined = confine(command, "scratch");
  const execa = await loadExeca();
  const { failed } = await execa(confined.file, [...confined.args], {
    env: confined.env,
    extendEnv: false,
    cwd: folder,
    stdio: "ignore",
    timeout: TIMEOUT_MS,
    cancelSignal: signal,
    reject: false,
  });
  signal.throwIfAborted();
  return failed ? null : uv;
}
