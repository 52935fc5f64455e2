import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { beforeAll, expect, test } from "vitest";
import { identityOf } from "../../../common/machine/process-table.ts";
import { sharedTemporaryFolder, temporaryFolder } from "../../../common/testing/temporary-folder.ts";
import { cleanEnvironment, copyCleanEnvironment } from "../../runner/app/clean-environment.ts";
import type { IsolationPlan } from "../../runner/isolation/isolation-plan.ts";
import { probeIsolation } from "../../runner/isolation/probe-isolation.ts";
import { runAppTests } from "./run-app-tests.ts";

const host = { env: process.env, now: () => Date.now(), signal: new AbortController().signal };
const MAIN = `
from robot_sdk import RobotApp

class MyApp(RobotApp):
    def run(self, robot, stop_event):
        robot.goto_target(antennas=(0.5, 0.5), duration=0.5)
        stop_event.wait()

if __name__ == "__main__":
    MyApp().wrapped_run()
`;
const PYPROJECT = `
[project]
name = "my_app"
version = "1"
[project.entry-points.robot_apps]
my_app = "my_app.main:MyApp"
`;
const GOOD = `
import os, pytest

def test_it_moves(robot_app):
    robot_app.advance(1.0)
    assert robot_app.antennas.right.max() > 20
    robot_app.stop()

@pytest.mark.skip
def test_that_is_skipped(): pass

def test_that_fails():
    assert 1 == 2, "no"
`;

const POLLING = { timeout: 100_000 };

const shared = sharedTemporaryFolder("robot-app-tests-");
let clean: string;
let venv: string;
let isolation: IsolationPlan;
beforeAll(async () => {
  clean = await cleanEnvironment(resolve("artifacts/certification"), host, (_name, work) => work());
  venv = join(shared, "venv");
  await copyCleanEnvironment(clean, venv, host.signal);
  isolation = await probeIsolation({ venv: clean, allowNetwork: false, host });
});

/** Runs the tests of an app, whose own files come before those of an environment. */
async function run(tests: string, { plainly = false, deadline }: { plainly?: boolean; deadline?: AbortSignal } = {}) {
  const scratch = temporaryFolder("robot-app-tests-");
  const folder = join(scratch, "my_app");
  for (const each of ["my_app", "tests"]) mkdirSync(join(folder, each), { recursive: true });
  writeFileSync(join(folder, "pyproject.toml"), PYPROJECT);
  writeFileSync(join(folder, "my_app/main.py"), MAIN);
  writeFileSync(join(folder, "tests/test_app.py"), tests);
  const plan = plainly ? { ...isolation, bubblewrap: null } : isolation;
  const into = join(scratch, "into");
  const options = {
    folder,
    name: "my_app",
    venv,
    clean,
    into,
    isolation: plan,
    host,
    ...(deadline && { deadline }),
  };
  return { result: await runAppTests(options) };
}

test.each([false, true])("tests run with a robot; plainly: %s", async (plainly) => {
  const { result } = await run(GOOD, { plainly });
  expect(result).toMatchObject({
    ...{ passed: 1, failed: 1, skipped: 1, problem: null },
    failures: [{ test: "tests/test_app.py::test_that_fails", message: expect.stringContaining("AssertionError: no") }],
  });
});

test.runIf(process.platform === "linux")("tests see nothing of the machine, and reach no daemon", async () => {
  const { result } = await run(`
import os, socket
def test_files(): assert not os.path.exists(${JSON.stringify(resolve("package.json"))})
def test_home(): assert os.listdir("/home") == ["robot"] and os.environ["HOME"] == "/home/robot"
def test_processes(): assert len([name for name in os.listdir("/proc") if name.isdigit()]) < 8
def test_network(): assert [name for _, name in socket.if_nameindex()] == ["lo"]
def test_variables(): assert not any(name.startswith("ROBOT_DAEMON_") for name in os.environ)
`);
  expect(result).toMatchObject({ passed: 5, failures: [] });
});

test("tests that do not end are ended with the processes that they started", async () => {
  const pidFile = join(temporaryFolder("robot-pid-"), "pid");
  const tests = `
import subprocess, time
def test_first(): pass
def test_endless():
    child = subprocess.Popen(["sleep", "600"], start_new_session=True)
    open(${JSON.stringify(pidFile)}, "w").write(str(child.pid))
    time.sleep(600)
`;
  const deadline = new AbortController();
  const running = run(tests, { plainly: true, deadline: deadline.signal });
  await expect.poll(() => existsSync(pidFile) && readFileSync(pidFile, "utf8"), POLLING).toMatch(/^\d+$/);
  deadline.abort();
  const { result } = await running;
  expect(result).toMatchObject({
    passed: 1,
    problem: expect.stringMatching(/not ended after 120 s, in .*test_endless/),
  });
  expect(await identityOf(Number(readFileSync(pidFile, "utf8")))).toBeNull();
});

test.each([
  ["import nothing_of_that_name", { failed: 1, problem: null }],
  [
    "import os\ndef test_first(): pass\ndef test_exits(): os._exit(0)",
    { passed: 1, problem: expect.stringMatching(/exit code 0, in .*test_exits/) },
  ],
  ["def helper(): pass", null],
])("what tests bring about is no error of the certification: %s", async (tests, expected) => {
  const { result } = await run(tests);
  if (expected === null) expect(result).toBeNull();
  else expect(result).toMatchObject(expected);
});
