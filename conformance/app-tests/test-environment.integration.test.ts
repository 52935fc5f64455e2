import { cpSync, existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { expect, test } from "vitest";
import { runProgram } from "../../assistant/program.ts";
import { fakeTerminal } from "../../assistant/testing/fake-terminal.ts";
import { temporaryFolder } from "../../common/testing/temporary-folder.ts";
import { testCommand } from "./command.ts";

const TEST = `
def test_it_moves(robot_app):
    robot_app.advance(2.0)
    assert robot_app.motion.matches("first seconds")
    robot_app.stop()
`;

const VERSION_TEST = `
from importlib.metadata import version

def test_its_package_is_installed():
    assert version("hello_robot")
`;

test("an app's tests run in an environment with pytest, which is made once", async () => {
  const cwd = temporaryFolder("robot-app-tests-");
  const app = join(cwd, "hello_robot");
  cpSync("fixtures/apps/hello_robot", app, { recursive: true });
  mkdirSync(join(app, "tests"));
  writeFileSync(join(app, "tests/test_hello.py"), TEST);
  const run = async (folder = "hello_robot", ...options: string[]) => {
    const env = { ...process.env, XDG_DATA_HOME: join(cwd, "data"), CI: "" };
    const terminal = fakeTerminal({ cwd, env, packageFolder: resolve(".") });
    await runProgram(["test", folder, ...options], "1", terminal, {
      test: async () => (given) => testCommand(given),
    });
    return terminal.written;
  };
  const first = await run();
  expect(first).toMatchObject({
    code: 0,
    out: expect.stringMatching(/motion recorded: .*first seconds\.txt(.|\n)*1 passed/),
  });
  expect(first.out).not.toContain("warning");
  expect(first.err).toContain("What hello_robot and its tests need …");
  expect(existsSync(join(app, "build"))).toBe(false);
  writeFileSync(join(app, "hello_robot/main.py"), "raise SystemExit(3)\n");
  const second = await run("hello_robot", "-q");
  expect(second).toMatchObject({ code: 1, out: expect.stringContaining("exit code 3"), err: "" });
  // Another app that needs the same has its package made, and no environment.
  const other = join(cwd, "other");
  cpSync("fixtures/apps/hello_robot", other, { recursive: true });
  mkdirSync(join(other, "tests"));
  writeFileSync(join(other, "tests/test_version.py"), VERSION_TEST);
  const third = await run("other");
  expect(third).toMatchObject({ code: 0, err: "The package of hello_robot …\n" });
  expect(third.out).toContain("1 passed");
});
