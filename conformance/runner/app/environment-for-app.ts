import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { sha256 } from "../../../common/files/sha256.ts";
import { systemClock } from "../../../common/time/clock.ts";
import { type Project, readProject } from "../../../daemon/apps/install/check/project.ts";
import { pythonFor } from "../../../daemon/apps/install/own/choose-python.ts";
import { findUv, type RunStep } from "../../../daemon/start/prepare.ts";
import { DEFAULT_DIALECT } from "../../../robot/dialects/dialects.ts";
import { WorkbenchError } from "../../../robot/wire/errors.ts";
import type { Host } from "../host.ts";
import { cleanEnvironment } from "./clean-environment.ts";
import { requiredSdkIn } from "./required-sdk.ts";

/**
 * The clean environment for an app: that of all apps, or one with another Python where the app's `requires-python` excludes
 * the usual one. That Python is one of this machine, else one that uv fetches. For an app that requires the SDK of another
 * dialect, in versions among which the newest is, it has that SDK. Each environment is made once.
 * @param cache the folder that holds them
 * @throws WorkbenchError as `cleanEnvironment`; `python-missing` with the Python that the app needs and the next step
 */
export async function cleanEnvironmentFor(folder: string, cache: string, host: Host, step: RunStep): Promise<string> {
  const usual = await cleanEnvironment(cache, host, step);
  // The install refuses an app whose project cannot be read (PKG-009).
  const project = await readProject(folder).catch(ignoreInvalid);
  if (project === null) return usual;
  const python = await otherPython(project, usual, host);
  // Of one machine: two Pythons with the same version may differ.
  const place = python === null ? cache : join(cache, `python-${sha256(Buffer.from(python)).slice(0, 12)}`);
  const ofPython = python === null ? host : { ...host, env: { ...host.env, ROBOT_PYTHON: python } };
  const { id, sdk } = project.dialect;
  const sdkIn = (venv: string) => requiredSdkIn(venv, project.dependencies ?? [], sdk.distribution, host);
  if (project.dialect !== DEFAULT_DIALECT && (await sdkIn(usual)) !== "unneeded") {
    // Where it cannot be installed, the install of the app says why.
    const withSdk = await cleanEnvironment(join(place, id), ofPython, step, sdk.distribution).catch(ignoreInvalid);
    if (withSdk !== null && (await sdkIn(withSdk)) === "present") return withSdk;
  }
  return python === null ? usual : cleanEnvironment(place, ofPython, step);
}

/** What this says of an app, or of an install, the install of the app says again. */
function ignoreInvalid(error: unknown): null {
  if (error instanceof WorkbenchError && ["app-invalid", "install-failed"].includes(error.code)) return null;
  throw error;
}

/** The program of another Python that an app needs; null when the environment's own will do. */
async function otherPython(project: Project, venv: string, { env, signal }: Host): Promise<string | null> {
  const scratch = await mkdtemp(join(tmpdir(), "robot-python-"));
  try {
    const parts = { venv, env, uv: await findUv(env, undefined, signal) };
    const run = { clock: systemClock, signal, onLine: () => {}, scratch };
    return await pythonFor(project, parts, run).catch(ignoreInvalid);
  } finally {
    await rm(scratch, { recursive: true, force: true });
  }
}
