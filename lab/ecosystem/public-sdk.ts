// An apps' environment with the public SDK in it.
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { resolve } from "node:path";
import { built } from "../../scripts/setup/built.mjs";
import { fingerprint } from "../../scripts/setup/fingerprint.mjs";
import { run } from "../../scripts/setup/steps.mjs";

/** The data folder of the daemon under test. */
export const DATA = resolve("artifacts/ecosystem/data");
export const VENV = `${DATA}/apps_venv`;
/** The folder that stands for the user's data. */
export const HOME = resolve("artifacts/ecosystem/home");
const STAMP = `${VENV}/.public-sdk`;
export const WHEELS = resolve("artifacts/ecosystem/wheels");

export async function preparePublicSdk(version: string, step: typeof import("../../scripts/setup/steps.mjs").step) {
  const { prepareAppsEnvironment } = await built("daemon/start/prepare.js");
  const { sdkSourceIn } = await built("daemon/apps/install/environment/sdk-source.js");
  const options = { sdkFolder: sdkSourceIn(resolve(".")), env: process.env, step, onRenamed: console.log };
  await prepareAppsEnvironment({ dataDir: DATA, ...options });
  const digest = `${version} ${fingerprint(["lab/ecosystem/install_sdk.py", "lab/ecosystem/gi_stub.py"])}`;
  await step(`public SDK ${version}`, async () => {
    if (existsSync(STAMP) && readFileSync(STAMP, "utf8") === digest) return "unchanged";
    const output = await run(`${VENV}/bin/python`, ["lab/ecosystem/install_sdk.py", version, WHEELS]);
    writeFileSync(STAMP, digest);
    const notes = output.split("\n").filter((line) => line.startsWith("  with"));
    console.log(notes.join("\n"));
    return undefined;
  });
}
