import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { systemClock } from "../../../common/time/clock.ts";
import { readProject } from "../../../daemon/apps/install/check/project.ts";
import { pythonFor } from "../../../daemon/apps/install/own/choose-python.ts";
import { sha256 } from "../../../daemon/files/sha256.ts";
import { findUv, type RunStep } from "../../../daemon/start/prepare.ts";
import { WorkbenchError } from "../../../robot/wire/errors.ts";
import type { Host } from "../host.ts";
import { cleanEnvironment } from "./clean-environment.ts";

/**
 * The clean environment for an app: that of all apps, or one with another Python where the app's `requires-python` excludes
 * the usual one. That Python is one of this machine, else one that uv fetches. Each environment is made once.
 * @param cache the folder that holds them
 * @throws WorkbenchError as `cleanEnvironment`; `python-missing` with the Python that the app needs and the next step
 */
export async function cleanEnvironmentFor(folder: string, cache: string, host: Host, step: RunStep): Promise<string> {
  const usual = await cleanEnvironment(cache, host, step);
  const python = await otherPython(folder, usual, host);
  if (python === null) return usual;
  // Of one machine: two Pythons with the same version may differ.
  const own = join(cache, `python-${sha256(Buffer.from(python)).slice(0, 12)}`);
  return cleanEnvironment(own, { ...host, env: { ...host.env, ROBOT_PYTHON: python } }, step);
}

/** The program of another Python that an app needs; null when the environment's own will do. */
async function otherPython(folder: string, venv: string, { env, signal }: Host): Promise<string | null> {
  const scratch = await mkdtemp(join(tmpdir(), "robot-python-"));
  try {
    const project = await readProject(folder);
    const parts = { venv, env, uv: await findUv(env, undefined, signal) };
    return await pythonFor(project, parts, { clock: systemClock, signal, onLine: () => {}, scratch });
  } catch (error) {
    // The install refuses the app for it (PKG-009).
    if (error instanceof WorkbenchError && error.code === "app-invalid") return null;
    throw error;
  } finally {
    await rm(scratch, { recursive: true, force: true });
  }
}
