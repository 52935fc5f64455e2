import { mkdirSync, writeFileSync } from "node:fs";
import { rm } from "node:fs/promises";
import path from "node:path";
import type { AppRemoval } from "../../daemon/apps/install/app-installer.ts";
import { APPS } from "./app-scripts.ts";

/** What each app declares that can be set. */
const SETTINGS = { speed: { default: 1, min: 0, max: 100 } };

/** Writes the metadata of all scripted apps as an installer does. */
export function writePythonEnvironment(dataDir: string): void {
  const packages = path.join(dataDir, "apps_venv", "lib", "python3.12", "site-packages");
  for (const name of Object.keys(APPS)) {
    const info = path.join(packages, `${name}-1.0.dist-info`);
    for (const folder of [info, path.join(packages, name)]) mkdirSync(folder, { recursive: true });
    writeFileSync(path.join(packages, name, "main.py"), "");
    writeFileSync(path.join(packages, name, "robot_settings.json"), JSON.stringify(SETTINGS));
    writeFileSync(path.join(info, "METADATA"), `Metadata-Version: 2.1\nName: ${name}\nVersion: 1.0\n`);
    writeFileSync(path.join(info, "entry_points.txt"), `[robot_apps]\n${name} = ${name}.main:App\n`);
  }
}

/** Removes an app as `removeApp` does, with its locks, and without pip. */
export const removePackages: AppRemoval = async (name, parts, run) => {
  const { metadataFolder } = await parts.installed.find(name);
  const unlock = parts.lockApps([name]);
  try {
    await parts.duringChange(`The removal of ${name}`, run, async () => {
      await rm(path.join(String(metadataFolder), "entry_points.txt"));
      await parts.origins.delete([name]);
    });
  } finally {
    unlock();
  }
};
