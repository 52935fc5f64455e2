import { chmodSync, mkdirSync, realpathSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { runProgram } from "../../assistant/program.ts";
import { type FakeTerminal, fakeTerminal } from "../../assistant/testing/fake-terminal.ts";
import { temporaryFolder } from "../../common/testing/temporary-folder.ts";
import { testCommand } from "./command.ts";

const PYPROJECT = '[project]\nname = "my_app"\n';

/** Runs the command in a folder with an app and a test, with a Python that prints its arguments and ends with an exit code. */
async function run(
  args: string[],
  code = 0,
  pyproject = PYPROJECT,
  testFile = "test_app.py",
): Promise<FakeTerminal["written"]> {
  const cwd = temporaryFolder("robot-app-tests-");
  mkdirSync(join(cwd, "my_app"));
  writeFileSync(join(cwd, "my_app", testFile), "");
  if (pyproject !== "") writeFileSync(join(cwd, "my_app/pyproject.toml"), pyproject);
  const python = join(cwd, "python");
  writeFileSync(python, `#!/bin/sh\necho "$@ in $(pwd -P) with $ROBOT_DAEMON"\necho oops >&2\nexit ${code}\n`);
  chmodSync(python, 0o755);
  const terminal = fakeTerminal({ cwd, packageFolder: "/package", env: { PATH: process.env.PATH, HOME: cwd } });
  const command = async () => (given: typeof terminal) =>
    testCommand(given, async ({ app, name, step }) =>
      step(`Environment of ${name}`, async () => (app === join(realpathSync(cwd), "my_app") ? python : "wrong")),
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
  expect((await run(["my_app", ...options], code)).code).toBe(expected);
});

test("an app without tests is told where to read", async () => {
  expect((await run(["my_app"], 5)).err).toContain("There are no tests. docs/testing-apps.md");
  const noneOfThatName = await run(["my_app"], 0, PYPROJECT, "main.py");
  expect(noneOfThatName).toMatchObject({ code: 0, out: "", err: expect.stringMatching(/^There are no tests/) });
  expect((await run(["my_app"], 0, `${PYPROJECT}# python_files = check_*.py`, "main.py")).out).toContain("-m pytest");
});

test.each([
  ["", /There is no .*pyproject.toml; name the folder of an app/],
  ["[", /pyproject.toml cannot be read/],
  ["[project]\n", /has no name in \[project\]/],
])("a folder that is no app is refused: %j", async (pyproject, problem) => {
  const { err, code } = await run(["my_app"], 0, pyproject);
  expect(err).toMatch(problem);
  expect(code).toBe(2);
});

test("a folder that is not there is refused", async () => {
  expect((await run(["none", "-x"])).err).toMatch(/There is no .*none\/pyproject.toml/);
  expect((await run(["-k", "nod"])).err).toMatch(/There is no .*pyproject.toml/);
});
