import { installHint } from "../../../common/machine/install-hint.ts";
import { packageVersion, sdkVersion } from "../../../common/versions.ts";
import { type DoctorCheck, fail, firstLineOf, ok, warn } from "../doctor-check.ts";

const OLDEST_NODE = [20, 19] as const;
const OLDEST_GIT = [2, 31] as const;

/** Whether a version has at least a major and a minor number. */
function atLeast(version: string, [major, minor]: readonly [number, number]): boolean {
  const [first = 0, second = 0] = version.split(".").map(Number);
  return first > major || (first === major && second >= minor);
}

export const versions: DoctorCheck = {
  id: "versions",
  title: "Versions",
  run: async ({ packageFolder, node }) => {
    const detail = `robot-app-assistant ${packageVersion(packageFolder)}, robot-sdk ${sdkVersion(packageFolder)}, Node ${node}, ${process.platform} ${process.arch}`;
    if (!atLeast(node, OLDEST_NODE)) return fail(detail, "Install Node 20.19 or newer.");
    return ok(detail);
  },
};

export const python: DoctorCheck = {
  id: "python",
  title: "Python",
  run: async (context) => {
    const program = context.env.ROBOT_PYTHON || "python3";
    const script = "import sys, venv, ensurepip; print('%d.%d.%d' % sys.version_info[:3])";
    const version = await firstLineOf(program, ["-c", script], context);
    const install = `Python 3.10 or newer with its venv module is needed: ${installHint("python")}. The variable ROBOT_PYTHON names another Python.`;
    if (version === null) return fail(`${program} does not run, or has no venv module`, install);
    return atLeast(version, [3, 10]) ? ok(`${program} ${version}`) : fail(`${program} ${version} is too old`, install);
  },
};

export const git: DoctorCheck = {
  id: "git",
  title: "Git",
  run: async (context) => {
    const line = await firstLineOf("git", ["--version"], context);
    const version = /\d+\.\d+(?:\.\d+)?/.exec(line ?? "")?.[0];
    const next = `publish needs git 2.31 or newer: ${installHint("git")}.`;
    if (version === undefined) return warn("git is missing", next);
    return atLeast(version, OLDEST_GIT) ? ok(version) : warn(`${version} is too old`, next);
  },
};

/** Names under which systems install Chromium. */
const BROWSERS = ["chromium", "chromium-browser", "google-chrome", "chrome"];

export const browser: DoctorCheck = {
  id: "browser",
  title: "Browser",
  run: async (context) => {
    const names = context.env.CHROMIUM ? [context.env.CHROMIUM] : BROWSERS;
    for (const name of names) {
      // Starters of distributions may print errors of their own first.
      const version = await firstLineOf(name, ["--version"], context, /\d+\.\d+/);
      if (version !== null) return ok(version);
    }
    return warn(
      `none of ${names.join(", ")} runs`,
      `certify judges an app's page in one: ${installHint("chromium")}, or set CHROMIUM.`,
    );
  },
};
