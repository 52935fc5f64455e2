import { constants, existsSync } from "node:fs";
import { access, mkdtemp, readdir, rmdir, statfs } from "node:fs/promises";
import path from "node:path";
import { packageIndexProblem } from "../../../common/machine/package-index.ts";
import { sdkVersion } from "../../../common/versions.ts";
import {
  type DoctorCheck,
  type DoctorCheckResult,
  type DoctorContext,
  fail,
  firstLineOf,
  ok,
  warn,
} from "../doctor-check.ts";

export const environment: DoctorCheck = {
  id: "environment",
  title: "Apps' environment",
  run: async (context) => {
    const venv = path.join(context.dataDir, "apps_venv");
    if (!existsSync(venv)) return canBeCreated(venv, context);
    const stamp = path.join(venv, "robot-sdk.json");
    if (!existsSync(stamp))
      return fail(`${venv} is incomplete`, `Start a daemon: it completes the environment, and keeps its apps.`);
    const script = "import importlib.metadata as m, robot_sdk; print(m.version('robot-sdk'))";
    const version = await firstLineOf(path.join(venv, "bin/python"), ["-c", script], context);
    // With that file the daemon may take the environment for complete: it does not look at what the SDK needs.
    if (version === null)
      return fail(
        `the SDK cannot be imported in ${venv}`,
        `Remove ${stamp}: the next start of a daemon installs the SDK again, and keeps the apps.`,
      );
    const own = sdkVersion(context.packageFolder);
    if (version === own) return ok(`${venv}, robot-sdk ${version}`);
    return warn(`${venv} has robot-sdk ${version}, this package ${own}`, "The next start of a daemon updates it.");
  },
};

/** Whether the first start of a daemon can create the environment: it needs the package index. */
async function canBeCreated(venv: string, context: DoctorContext): Promise<DoctorCheckResult> {
  const how = `${venv} is created by the first start of a daemon`;
  // uv may have all packages in its cache.
  const hasUv = (await firstLineOf("uv", ["--version"], context)) !== null;
  const problem = hasUv ? null : await packageIndexProblem(context);
  if (problem === null) return ok(how);
  return fail(
    `${how}, and the package index does not answer (${problem})`,
    "Connect to the network once: later starts work without.",
  );
}

/** What environments of apps with larger dependencies need. */
const ROOM_BYTES = 2e9;
const LEAST_BYTES = 2e8;

export const disk: DoctorCheck = {
  id: "disk",
  title: "Disk",
  run: async ({ dataDir }) => {
    const folder = existingFolder(dataDir);
    const { bavail, bsize } = await statfs(folder);
    const free = bavail * bsize;
    const problem = await writeProblem(folder);
    if (problem !== null)
      return fail(
        `${folder} cannot be written to (${problem})`,
        "Nothing can be installed: let robot-daemon use another folder with --data-dir, or set XDG_DATA_HOME.",
      );
    const detail = `${(free / 1e9).toFixed(1)} GB free for ${folder}`;
    if (free < LEAST_BYTES) return fail(detail, "Free some space: apps cannot be installed.");
    return free < ROOM_BYTES ? warn(detail, "Apps with large dependencies may not fit.") : ok(detail);
  },
};

/** Why no file can be created in a folder: a code such as EROFS; null when one can. */
async function writeProblem(folder: string): Promise<string | null> {
  try {
    await rmdir(await mkdtemp(path.join(folder, ".doctor-")));
    return null;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code ?? String(error);
  }
}

/** The folder, or the nearest one above it that exists. */
function existingFolder(folder: string): string {
  return existsSync(folder) ? folder : existingFolder(path.dirname(folder));
}

const DEVICES = "/dev";

/** Looks at serial ports that a robot can be on. @param devices folder of the device files */
export const serialIn = (devices: string): DoctorCheck => ({
  id: "serial",
  title: "Serial ports",
  run: async () => {
    const names = (await readdir(devices).catch(() => [])).filter((name) => /^tty(?:ACM|USB)\d+$/.test(name));
    const ports = names.map((name) => path.join(devices, name));
    if (ports.length === 0) return ok("none: only a physical robot needs one");
    const denied: string[] = [];
    for (const port of ports) await access(port, constants.R_OK | constants.W_OK).catch(() => void denied.push(port));
    if (denied.length === 0) return ok(ports.join(", "));
    const next = "Add yourself to the group: sudo usermod -aG dialout $USER, then log in again.";
    return warn(`no permission for ${denied.join(", ")}`, next);
  },
});

export const serial = serialIn(DEVICES);
