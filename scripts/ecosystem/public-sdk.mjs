// An apps' environment with the public SDK in it.
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { resolve } from "node:path";
import { built } from "../setup/built.mjs";
import { fingerprint } from "../setup/fingerprint.mjs";
import { run } from "../setup/steps.mjs";

/** The data folder of the daemon under test. */
export const DATA = resolve("artifacts/ecosystem/data");
export const VENV = `${DATA}/apps_venv`;
/** The folder that stands for the user's data, and the environment below it that certifications begin with. */
export const HOME = resolve("artifacts/ecosystem/home");
const CLEAN = `${HOME}/robot-daemon/certification`;
const STAMP = `${VENV}/.public-sdk`;
export const WHEELS = resolve("artifacts/ecosystem/wheels");

/** @param {string} _name @param {() => unknown} work */
const quietly = (_name, work) => work();

/**
 * @param {string} version
 * @param {typeof import("../setup/steps.mjs").step} step
 */
export async function preparePublicSdk(version, step) {
  const { prepareAppsEnvironment } = await built("daemon/start/prepare.js");
  const { sdkSourceIn } = await built("daemon/apps/install/environment/sdk-source.js");
  const options = { sdkFolder: sdkSourceIn(resolve(".")), env: process.env, step };
  await prepareAppsEnvironment({ dataDir: DATA, ...options });
  const digest = `${version} ${fingerprint(["scripts/ecosystem/install_sdk.py", "scripts/ecosystem/gi_stub.py"])}`;
  await step(`public SDK ${version}`, async () => {
    if (existsSync(STAMP) && readFileSync(STAMP, "utf8") === digest) return "unchanged";
    const output = await run(`${VENV}/bin/python`, ["scripts/ecosystem/install_sdk.py", version, WHEELS]);
    // Before any app is in it.
    const { copyVenv } = await built("conformance/runner/app/copy-venv.js");
    rmSync(CLEAN, { recursive: true, force: true });
    mkdirSync(CLEAN, { recursive: true });
    copyVenv(VENV, `${CLEAN}/apps_venv`);
    // The copy names the folder that it was copied from, until the SDK of this project is installed again. Without the
    // file, the environment would be made anew.
    writeFileSync(`${CLEAN}/apps_venv/robot-sdk.json`, '{"sdk": "of another folder"}');
    writeFileSync(STAMP, digest);
    const notes = output.split("\n").filter((line) => line.startsWith("  with"));
    console.log(notes.join("\n"));
    return undefined;
  });
  await prepareAppsEnvironment({ dataDir: CLEAN, ...options, step: quietly });
}
