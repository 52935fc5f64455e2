import type { Clock } from "../../../../common/time/clock.ts";
import { InstalledApps } from "../../catalogue/installed-apps.ts";
import { ownVenvsIn, removeOwnVenv, restoreOwnVenvs } from "../../catalogue/own-venvs.ts";
import { recoverVenv } from "../environment/venv-lock.ts";

/**
 * Tidies up the environments of single apps after a killed program: rolls back changes, and removes environments whose
 * app was never installed. To be called while no other program uses the data folder.
 */
export async function recoverOwnVenvs({
  dataDir,
  stagingDir,
  clock,
}: {
  dataDir: string;
  stagingDir: string;
  clock: Clock;
}): Promise<void> {
  await restoreOwnVenvs(dataDir);
  for (const venv of await ownVenvsIn(dataDir)) {
    await recoverVenv(venv, stagingDir, clock);
    if ((await new InstalledApps(venv).list()).length === 0) await removeOwnVenv(venv);
  }
}
