// Projects of apps that are built without a network, and installs of them through a daemon.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { until } from "../bench/daemon.mjs";

/** Longer than any install on a loaded machine. */
const INSTALL_MS = 120_000;

/**
 * @typedef {object} Project
 * @property {string} name of app and package
 * @property {string} [distribution] default: the app's name
 * @property {string} [version]
 * @property {string} [setup] text of setup.py, which runs during the build
 * @property {string} [run] statements of the app's run()
 * @property {number} [modules] how many modules it has that hold its version as `VERSION`
 */

/** The main module of an app. @param {string} run */
const mainModule = (run) => `from robot_sdk import RobotApp

class App(RobotApp):
    def run(self, robot, stop_event):
${run.trim().replaceAll(/^/gm, "        ")}

if __name__ == "__main__":
    app = App()
    try:
        app.wrapped_run()
    except KeyboardInterrupt:
        app.stop()
`;

/** Writes the project of an app that ends at once. @param {string} folder @param {Project} project @returns {string} */
export function writeProject(
  folder,
  { name, distribution = name, version = "1", setup, run = "print('done')", modules = 0 },
) {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(join(folder, name), { recursive: true });
  writeFileSync(
    join(folder, "pyproject.toml"),
    `[build-system]
requires = ["setuptools>=61"]
build-backend = "setuptools.build_meta"
[project]
name = "${distribution}"
version = "${version}"
[project.entry-points.robot_apps]
${name} = "${name}.main:App"
[tool.setuptools]
packages = ["${name}"]
`,
  );
  writeFileSync(join(folder, name, "__init__.py"), "");
  writeFileSync(join(folder, name, "main.py"), mainModule(run));
  for (let module = 0; module < modules; module += 1)
    writeFileSync(join(folder, name, `part_${module}.py`), `VERSION = "${version}"\n`);
  if (setup !== undefined) writeFileSync(join(folder, "setup.py"), setup);
  return folder;
}

/** A folder for projects. @returns {{ folder: string, remove: () => void }} */
export function projectFolder() {
  const folder = mkdtempSync(join(tmpdir(), "robot-projects-"));
  return { folder, remove: () => rmSync(folder, { recursive: true, force: true }) };
}

/** Starts an install. @param {{ url: string }} daemon @param {string} folder @returns {Promise<string>} id of the job */
export async function beginInstall({ url }, folder) {
  const answer = await fetch(`${url}/api/apps/install`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ path: folder }),
  });
  const { job_id } = /** @type {any} */ (await answer.json());
  return job_id;
}

/** Waits for the end of a job. @param {{ url: string }} daemon @param {string} job @returns {Promise<any>} */
export const jobEnd = ({ url }, job) =>
  until("the job ends", INSTALL_MS, async () => {
    const state = /** @type {any} */ (await (await fetch(`${url}/api/apps/job-status/${job}`)).json());
    return ["done", "failed", "cancelled"].includes(state.status) && state;
  });

/** Installs an app and waits for the job's end. @param {{ url: string }} daemon @param {string} folder */
export const install = async (daemon, folder) => jobEnd(daemon, await beginInstall(daemon, folder));

/** The versions of installed apps by name. @param {{ url: string }} daemon @returns {Promise<Record<string, string>>} */
export async function versions({ url }) {
  const apps = /** @type {any[]} */ (await (await fetch(`${url}/api/apps/list`)).json());
  return Object.fromEntries(apps.map(({ name, extra }) => [name, extra.version]));
}

/** Writes until the disk takes no more. @param {string} folder */
export function fillDisk(folder) {
  for (const size of [1_000_000, 10_000, 100]) {
    try {
      for (let file = 0; ; file += 1) writeFileSync(join(folder, `filler-${size}-${file}`), "x".repeat(size));
    } catch {
      // Full for files of this size.
    }
  }
}
