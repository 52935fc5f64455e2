// One whole session with an installed package, from an empty folder to a published app and back to nothing.
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { StepFailed } from "../setup/steps.mjs";
import { npmInstall, runIn, start } from "./install.mjs";
import { firstMotionOf } from "./motion.mjs";

/** Requirements of a short certification; the whole one takes most of a minute. */
const JUDGED = ["PKG-009", "LIFE-001"];
/** A proxy where nobody answers. */
const OFFLINE = Object.fromEntries(
  ["http_proxy", "https_proxy", "HTTP_PROXY", "HTTPS_PROXY"].map((name) => [name, "http://127.0.0.1:9"]),
);
/** The token with which the hub for development lets its user publish. */
const HF_TOKEN = "hf_local_write";
const APP_ADDRESS = /http\S+\/spaces\/\S+/;

/** @typedef {import("./install.mjs").Place} Place */
/** @typedef {<T>(name: string, work: () => Promise<T>) => Promise<T>} Step */

/**
 * Installs the package, makes an app and runs it.
 * @param {Place} place
 * @param {string} tarball
 * @param {Step} step
 * @returns {Promise<number>} seconds from nothing to the app's first motion
 */
export async function fromNothingToMotion(place, tarball, step) {
  const began = performance.now();
  await step("npm install robot-daemon-….tgz", () => npmInstall(place, tarball));
  await command(place, step, "npx robot-app-assistant create my_app .");
  await command(place, step, "npx robot-daemon install ./my_app");
  const daemon = await step("npx robot-daemon --sim --startup-app my_app", () => startDaemon(place));
  try {
    await step("first motion of the app", () => firstMotionOf(daemon.match[0]));
    return (performance.now() - began) / 1000;
  } finally {
    await step("Ctrl-C", daemon.stop);
  }
}

/**
 * Runs the app of `fromNothingToMotion` without the network, checks, certifies and publishes it, and installs it from the hub
 * for development.
 * @param {Place} place
 * @param {Step} step
 * @param {{ wholeCertification?: boolean }} [options] whether `publish` certifies the app by all requirements
 */
export async function fromAppToHub(place, step, { wholeCertification = false } = {}) {
  const again = await step("the daemon again, without a network", () => startDaemon(place, OFFLINE));
  await again.stop();
  await command(place, step, "npx robot-app-assistant check my_app");
  const only = JUDGED.map((id) => `--only ${id}`).join(" ");
  await command(place, step, `npx robot-app-assistant certify my_app ${only}`);
  const hub = await step("npx robot-app-assistant hub", () =>
    start(place, ["robot-app-assistant", "hub", "--port", "0"], /listens at (http:\S+)[\s\S]*hf_local_write/),
  );
  const env = { HF_TOKEN };
  const url = hub.match[1];
  try {
    const published = await command(
      place,
      step,
      `npx robot-app-assistant publish my_app --yes ${wholeCertification ? "" : "--skip-certify "}--hub-url ${url}`,
      env,
    );
    const address = APP_ADDRESS.exec(published)?.[0];
    await command(place, step, `npx robot-daemon install ${address} --hub-url ${url}`, env);
  } finally {
    await hub.stop();
  }
}

/**
 * Removes the package and all that it left.
 * @param {Place} place
 * @param {Step} step
 * @throws StepFailed when something is left
 */
export async function removeAll(place, step) {
  await command(place, step, "npx robot-daemon uninstall --purge --yes");
  await command(place, step, "npm uninstall robot-daemon");
  const left = filesIn(place.home).filter((file) => /robot/.test(file.slice(place.home.length)));
  if (left.length > 0) throw new StepFailed(`These are left in the home folder: ${left.join(", ")}`);
}

/** @param {Place} place @param {Step} step @param {string} line @param {NodeJS.ProcessEnv} [env] */
const command = (place, step, line, env = {}) => step(line, () => runIn(place, line, { env }));

/** @param {Place} place @param {NodeJS.ProcessEnv} [env] */
function startDaemon(place, env) {
  const line = ["robot-daemon", "--sim", "--port", "0", "--startup-app", "my_app"];
  return start(place, line, /http:\/\/127\.0\.0\.1:\d+/, env);
}

/** @param {string} folder */
function filesIn(folder) {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true });
  return entries.filter((entry) => entry.isFile()).map((file) => join(file.parentPath, file.name));
}
