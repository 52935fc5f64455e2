import { chmodSync, mkdirSync, readFileSync, realpathSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { runProgram } from "../../assistant/program.ts";
import { type FakeTerminal, fakeTerminal } from "../../assistant/testing/fake-terminal.ts";
import { identityOf } from "../../common/machine/process-table.ts";
import { temporaryFolder } from "../../common/testing/temporary-folder.ts";
import { testCommand } from "./command.ts";

const PYPROJECT = '[project]\nname = "my_app"\n';

/** The script of the subreaper needs a real Python. */
const AS_SUBREAPER = 'if [ "$1" = -I ]; then exec python3 "$@"; fi';

interface FakeRun {
  /** Exit code of Python. */
  code?: number;
  /** Text of pyproject.toml; without one when empty. */
  pyproject?: string;
  /** Name of the only Python file. */
  file?: string;
  /** Name of the app's folder. */
  folder?: string;
  /** Shell commands that Python runs first. */
  body?: string;
}

/** Runs the command in a folder with an app and a test, with a Python that prints its arguments and ends with an exit code. */
async function run(
  args: string[],
  { code = 0, pyproject = PYPROJECT, file = "test_app.py", folder = "my_app", body = "" }: FakeRun = {},
): Promise<FakeTerminal["written"]> {
  const cwd = temporaryFolder("robot-app-tests-");
  mkdirSync(join(cwd, folder));
  writeFileSync(join(cwd, folder, file), "");
  if (pyproject !== "") writeFileSync(join(cwd, folder, "pyproject.toml"), pyproject);
  const python = join(cwd, "python");
  writeFileSync(
    python,
    `#!/bin/sh\n${AS_SUBREAPER}\n${body}\necho "$@ in $(pwd -P) with $ROBOT_DAEMON"\necho oops >&2\nexit ${code}\n`,
  );
  chmodSync(python, 0o755);
  const terminal = fakeTerminal({ cwd, packageFolder: "/package", env: { PATH: process.env.PATH, HOME: cwd } });
  const command = async () => (given: typeof terminal) =>
    testCommand(given, async ({ app, name, step }) =>
      step(`Environment of ${name}`, async () => ({
        python: app === join(realpathSync(cwd), "my_app") ? python : "wrong",
        packages: [],
      })),
    );
  await runProgram(["test", ...args], "1", terminal, { test: command as never });
  terminal.written.out = terminal.written.out.replace(realpathSync(cwd), "");
  return terminal.written;
}

test("pytest runs in the app's folder, with the simulator of this package", async () => {
  const { out, err, code } = await run(["my_app"]);
  expect(out).toBe("-m pytest --color=no in /my_app with /package/bin/robot-daemon.mjs\n");
  expect(err).toBe("Environment of my_app …\noops\n");
  expect(code).toBe(0);
});

test("options go to pytest", async () => {
  expect((await run(["my_app", "-k", "nod", "--motion-update"])).out).toContain("-k nod --motion-update in /my_app");
  expect((await run(["my_app", "tests/test_x.py", "-x"])).out).toContain("tests/test_x.py -x in");
});

test.each([
  [1, [], 1],
  [2, [], 3],
  [3, [], 3],
  [4, ["--no-such"], 2],
  [5, ["-k", "none"], 2],
  [5, [], 0],
])("pytest's exit code %d with options %j ends the command with %d", async (code, options, expected) => {
  expect((await run(["my_app", ...options], { code })).code).toBe(expected);
});

test("an app without tests is told where to read", async () => {
  expect((await run(["my_app"], { code: 5 })).err).toContain("There are no tests. docs/testing-apps.md");
  const noneOfThatName = await run(["my_app"], { file: "main.py" });
  expect(noneOfThatName).toMatchObject({ code: 0, out: "", err: expect.stringMatching(/^There are no tests/) });
  expect(
    (await run(["my_app"], { pyproject: `${PYPROJECT}# python_files = check_*.py`, file: "main.py" })).out,
  ).toContain("-m pytest");
});

test.each([
  ["", /There is no .*pyproject.toml; name the folder of an app/],
  ["[", /pyproject.toml cannot be read/],
  ["[project]\n", /has no name in \[project\]/],
])("a folder that is no app is refused: %j", async (pyproject, problem) => {
  const { err, code } = await run(["my_app"], { pyproject });
  expect(err).toMatch(problem);
  expect(code).toBe(2);
});

test("a folder that is not there is refused", async () => {
  expect((await run(["none", "-x"])).err).toMatch(/There is no .*none\/pyproject.toml/);
  expect((await run(["-k", "nod"])).err).toMatch(/There is no .*pyproject.toml/);
});

test("a folder that Python's path cannot hold is refused", async () => {
  expect(await run(["my:app"], { folder: "my:app" })).toMatchObject({
    ...{ code: 2, out: "" },
    err: expect.stringContaining('rename the folder, without the ":" in its path'),
  });
});

test("no process is left of an app that leaves its group", async () => {
  const pidFile = join(temporaryFolder("robot-app-tests-"), "pid");
  const body = `setsid sleep 600 & echo $! > '${pidFile}'`;
  expect((await run(["my_app"], { body })).code).toBe(0);
  expect(await identityOf(Number(readFileSync(pidFile, "utf8")))).toBeNull();
});
