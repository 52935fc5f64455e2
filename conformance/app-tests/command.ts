import { existsSync } from "node:fs";
import { readFile, realpath } from "node:fs/promises";
import { delimiter, dirname, join, resolve } from "node:path";
import { Command } from "commander";
import { EXIT, type Terminal } from "../../assistant/terminal.ts";
import { cancelSignalOption, loadExeca } from "../../common/machine/load-execa.ts";
import { withSubreaper } from "../../common/machine/subreaper.ts";
import { pythonEnvironment } from "../../daemon/apps/start/python-environment.ts";
import { defaultDataDir } from "../../daemon/command-line/options.ts";
import { parseProjectFile } from "../../robot/project/project-file.ts";
import { WorkbenchError } from "../../robot/wire/errors.ts";
import { hasTests, PYTEST_EXIT } from "./pytest.ts";
import { testEnvironment } from "./test-environment.ts";

const HELP = `
Options that this command does not know go to pytest. The first run makes a Python environment with what the app needs,
its extra "test", robot-sdk and pytest; apps that need the same share it. docs/testing-apps.md describes the tests.
Exit codes: 0 passed, or there are no tests, 1 a test failed, 2 wrong usage, 3 the environment or pytest itself broke.

Examples:
  robot-app-assistant test
  robot-app-assistant test my_app -k nod
  robot-app-assistant test my_app --motion-update`;

const NO_TESTS = "There are no tests. docs/testing-apps.md shows how to write one.\n";

/**
 * `test`: runs an app's tests with pytest, on a simulated robot in virtual time.
 * @param makeEnvironment makes the environment of the tests, and returns the path of its Python
 */
export function testCommand(terminal: Terminal, makeEnvironment: typeof testEnvironment = testEnvironment): Command {
  return new Command("test")
    .description("Run an app's tests on a simulated robot, with pytest.")
    .argument("[path_to_app]", "the app's folder, where its pyproject.toml is", ".")
    .argument("[pytest_options...]", "passed on to pytest")
    .allowUnknownOption()
    .addHelpText("after", HELP)
    .action(async (first: string, others: string[]) => {
      const [path, options] = first.startsWith("-") ? [".", [first, ...others]] : [first, others];
      const app = await findApp(resolve(terminal.cwd, path));
      const { env, signal } = terminal;
      if (options.length === 0 && !(await hasTests(app.app))) return terminal.err(NO_TESTS);
      const environment = await makeEnvironment({
        ...app,
        cache: join(defaultDataDir(env), "tests"),
        host: { env, signal, now: () => terminal.now().getTime() },
        step: (name, work) => {
          terminal.err(`${name} …\n`);
          return work();
        },
      });
      const code = await runPytest(environment, app.app, options, terminal);
      if (code === PYTEST_EXIT.noTests && options.length === 0) return terminal.err(NO_TESTS);
      terminal.setExitCode(exitCodeOf(code));
    });
}

/**
 * The real path of an app's folder, and the name of its package.
 * @throws WorkbenchError `bad-request` for a folder without a pyproject.toml that names its package
 */
async function findApp(folder: string): Promise<{ app: string; name: string }> {
  const file = join(folder, "pyproject.toml");
  if (!existsSync(file)) throw new WorkbenchError("bad-request", `There is no ${file}; name the folder of an app.`);
  if (folder.includes(delimiter))
    throw new WorkbenchError(
      "bad-request",
      `Python finds no app in ${folder}: rename the folder, without the "${delimiter}" in its path.`,
    );
  const parsed = parseProjectFile(await readFile(file, "utf8"));
  if ("error" in parsed) throw new WorkbenchError("bad-request", `${file} cannot be read: ${parsed.error.message}.`);
  const { name } = parsed.value;
  if (typeof name === "string" && name !== "") return { app: await realpath(folder), name };
  throw new WorkbenchError(
    "bad-request",
    `${file} has no name in [project]; robot-app-assistant check says what it needs.`,
  );
}

/**
 * Runs pytest in the app's folder. Returns its exit code.
 * @throws WorkbenchError `check-failed` when a signal ended it; the terminal's signal's reason
 */
async function runPytest(
  { python, packages }: Awaited<ReturnType<typeof testEnvironment>>,
  app: string,
  options: string[],
  terminal: Terminal,
): Promise<number> {
  const { env, packageFolder, colour, signal } = terminal;
  const execa = await loadExeca();
  const { PATH = "" } = env;
  const ownEnv = {
    // The plugin starts `node`, which may not be on PATH: this process may have been started by its path.
    PATH: [PATH, dirname(process.execPath)].join(delimiter),
    ROBOT_DAEMON: env.ROBOT_DAEMON ?? join(packageFolder, "bin/robot-daemon.mjs"),
    // The app's files as they are now come before the copy that was installed with what the app needs.
    PYTHONPATH: [app, join(app, "src"), ...packages].join(delimiter),
  };
  // Ends what pytest leaves: processes of the app outside its group, and the app itself when pytest is interrupted.
  const command = [python, "-m", "pytest", `--color=${colour ? "yes" : "no"}`, ...options];
  const [file = "", ...args] = withSubreaper(python, command);
  const pytest = execa(file, args, {
    cwd: app,
    env: { ...pythonEnvironment(env), ...ownEnv },
    extendEnv: false,
    stdin: "ignore",
    buffer: false,
    reject: false,
    ...cancelSignalOption(signal),
  });
  pytest.stdout.setEncoding("utf8").on("data", terminal.out);
  pytest.stderr.setEncoding("utf8").on("data", terminal.err);
  const { exitCode, message } = await pytest;
  signal.throwIfAborted();
  if (exitCode === undefined) throw new WorkbenchError("check-failed", `pytest did not end by itself: ${message}`);
  return exitCode;
}

function exitCodeOf(code: number): number {
  if (code === PYTEST_EXIT.passed) return EXIT.ok;
  if (code === PYTEST_EXIT.failed) return EXIT.failed;
  return code === PYTEST_EXIT.usage || code === PYTEST_EXIT.noTests ? EXIT.usage : EXIT.unavailable;
}
