// An apps' environment with the public SDK in it.
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { resolve } from "node:path";
import { ECOSYSTEM_FOLDER, PUBLIC_VENV } from "../../conformance/steps/support/public-daemon.ts";
import { sdkSourceIn } from "../../daemon/apps/install/environment/sdk-source.ts";
import { prepareAppsEnvironment } from "../../daemon/start/prepare.ts";
import { fingerprint } from "../../scripts/setup/fingerprint.mjs";
import { run, step } from "../../scripts/setup/steps.mjs";

/** The version of the SDK that is known to run here. */
export const SDK_VERSION = "1.13.0";
/** The data folder of the daemon under test. */
export const DATA = `${ECOSYSTEM_FOLDER}/data`;
export const VENV = PUBLIC_VENV;
/** The folder that stands for the user's data. */
export const HOME = `${ECOSYSTEM_FOLDER}/home`;
/** Is played to the robot's microphone, again and again. */
export const VOICE = "fixtures/recordings/speech.wav";
const STAMP = `${VENV}/.public-sdk`;
export const WHEELS = `${ECOSYSTEM_FOLDER}/wheels`;

export async function preparePublicSdk(version: string) {
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
