import { realpathSync } from "node:fs";
import { basename, delimiter, dirname, join, sep } from "node:path";
import { PACKAGE_FOLDER } from "../../../common/machine/package-folder.ts";
import { pythonScript } from "../../../common/machine/python-script.ts";
import { withSubreaper } from "../../../common/machine/subreaper.ts";
import { pythonEnvironment } from "../../../daemon/apps/start/python-environment.ts";
import { type Bind, sandboxed } from "../../runner/isolation/bubblewrap-options.ts";
import { type Bubblewrap, INSIDE, type IsolationPlan } from "../../runner/isolation/isolation-plan.ts";
import { inNamespaces } from "../../runner/lane/namespaces.ts";

interface IsolatedPytestOptions {
  /** A copy of the app's files. */
  copy: string;
  /** Name of the folder that the tests find them in. */
  name: string;
  /** The environment with the app in it. */
  venv: string;
  /** The folder with pytest. */
  pytest: string;
  /** A folder for what the tests write, and the copy that they may change; it is made. */
  own: string;
  isolation: IsolationPlan;
  env: Readonly<Record<string, string | undefined>>;
}

const SCRIPT = pythonScript("run_tests.py", import.meta.url);
/** The script's reports, which it writes to descriptor 3, go to standard output; what the tests print to standard error. */
const SEPARATE_REPORTS = ["/bin/sh", "-c", 'exec "$@" 3>&1 1>&2', "sh"];
/** Copies the app into the folder of the tests: with a quota, that is a file system that only their namespace sees. */
const COPY = [
  "/bin/sh",
  "-c",
  'own=$1 && mkdir -p "$own/home" "$own/tmp" && cp -RP "$2" "$own/home/$3" && cd "$own/home/$3" && shift 3 && exec "$@"',
  "sh",
];
/** Paths inside the sandbox: of the workbench, which computes the robot, of Node.js, and of pytest. */
const [WORKBENCH, NODE, PYTEST] = ["/opt/robot", "/opt/node", "/opt/pytest"];
/** A port on which no daemon listens: tests need none, and must not reach that of this machine. */
const NO_DAEMON = "http://127.0.0.1:1";

/**
 * The command that runs an app's tests: under bubblewrap as the app itself, or without a sandbox where that does not work. The
 * tests see the workbench, which computes their robot, and nothing of the test runs. No process of theirs is left.
 */
export function isolatedPytest(options: IsolatedPytestOptions): {
  command: readonly string[];
  env: Record<string, string>;
} {
  const { copy, name, own, isolation } = options;
  const { bubblewrap, python, network, quota } = isolation;
  const { command, env } = bubblewrap === null ? withoutSandbox(options) : underBubblewrap(options, bubblewrap);
  const inOwnFolder = [...COPY, own, copy, name, ...command];
  const confined = inNamespaces({ python, network, quota: quota ? own : null }, inOwnFolder);
  return { command: withSubreaper(python, confined), env };
}

const pytestIn = (venv: string, pytest: string): string[] => [
  ...SEPARATE_REPORTS,
  join(venv, "bin/python"),
  "-c",
  SCRIPT,
  pytest,
  "--color=no",
  "-p",
  "no:cacheprovider",
];

/** Variables of the tests: the app's files come before those that were installed, and a recording that is missing fails. */
const variables = (app: string, workbench: string) => ({
  ROBOT_DAEMON: join(workbench, "bin/robot-daemon.mjs"),
  PYTHONPATH: [app, join(app, "src")].join(delimiter),
  CI: "1",
});

function withoutSandbox({ venv, pytest, own, name, env }: IsolatedPytestOptions) {
  const { ROBOT_DAEMON_TOKEN: _, PATH = "", ...others } = pythonEnvironment(env);
  return {
    command: pytestIn(venv, pytest),
    env: {
      ...others,
      PATH: [dirname(process.execPath), PATH].join(delimiter),
      TMPDIR: join(own, "tmp"),
      ROBOT_DAEMON_URL: NO_DAEMON,
      ...variables(join(own, "home", name), PACKAGE_FOLDER),
    },
  };
}

function underBubblewrap({ venv, pytest, own, name, env }: IsolatedPytestOptions, bubblewrap: Bubblewrap) {
  const app = join(INSIDE.home, name);
  const workbench = workbenchFolders();
  const binds: Bind[] = [
    { outside: realpathSync(venv), inside: INSIDE.venv },
    { outside: pytest, inside: PYTEST },
    { outside: realpathSync(process.execPath), inside: join(NODE, "bin/node") },
    ...workbench.binds,
    { outside: join(own, "home"), inside: INSIDE.home, writable: true },
    { outside: join(own, "tmp"), inside: INSIDE.temporary, writable: true },
  ];
  const inside = {
    PATH: [join(NODE, "bin"), "/usr/local/bin:/usr/bin:/bin"].join(delimiter),
    HOME: INSIDE.home,
    USER: "robot",
    LOGNAME: "robot",
    ...variables(app, workbench.inside),
  };
  const command = sandboxed(bubblewrap, { binds, env: inside, cwd: app }, pytestIn(INSIDE.venv, PYTEST));
  return { command, env: pythonEnvironment(env) };
}

/** Parts of the workbench that its programs need; nothing else of a folder that may be a developer's. */
const PARTS = ["bin", "dist", "node_modules", "package.json"];
const MODULES = "node_modules";

/**
 * The workbench and the packages that it needs: those beside it where it was installed as a package, in the outermost
 * node_modules.
 */
function workbenchFolders(): { binds: Bind[]; inside: string } {
  const [before = "", ...after] = realpathSync(PACKAGE_FOLDER).split(`${sep}${MODULES}${sep}`);
  const inside = join(WORKBENCH, MODULES, after.length === 0 ? basename(before) : after.join(`${sep}${MODULES}${sep}`));
  if (after.length > 0) {
    const modules = { outside: join(before, MODULES), inside: join(WORKBENCH, MODULES) };
    return { binds: [modules], inside };
  }
  const binds = PARTS.map((part) => ({
    outside: join(before, part),
    inside: join(inside, part),
    optional: true as const,
  }));
  return { binds, inside };
}
