import { tmpdir } from "node:os";
import { removeOldScratchFolders } from "../../child-process/scratch-folders.ts";
import { cleanEnvironment } from "../../runner/app/clean-environment.ts";
import type { CertifyContext } from "./certify-app.ts";

/**
 * Makes the clean Python environment, or updates it, before several certifications use it at the same time. Removes what
 * killed processes left.
 * @throws WorkbenchError as `cleanEnvironment` does
 */
export async function prepareEnvironment(context: CertifyContext): Promise<void> {
  const { cache, env, clock, signal } = context;
  await removeOldScratchFolders(tmpdir(), clock.unixTime());
  await cleanEnvironment(cache, { env, now: clock.unixTime, signal }, (_name, work) => work());
}
