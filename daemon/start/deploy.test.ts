import { spawnSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { temporaryFolder } from "../../common/testing/temporary-folder.ts";
import { parseInvocation } from "../command-line/options.ts";

const unit = readFileSync("deploy/robot-daemon.service", "utf8");
const setting = (name: string) => new RegExp(`^${name}=(.*)$`, "m").exec(unit)?.[1];

test("the unit starts the wireless variant with options that the daemon knows", () => {
  const [node, program, ...options] = setting("ExecStart")?.split(" ") ?? [];
  expect([node, program]).toEqual(["/usr/bin/node", "/opt/robot-daemon/bin/robot-daemon"]);
  expect(parseInvocation(options, {}, "1", () => {})).toMatchObject({
    command: "run",
    options: { wirelessVersion: true, host: "0.0.0.0", dataDir: "/var/lib/robot-daemon", venv: "/venvs/apps_venv" },
  });
});

test("the unit restarts after crashes, and gives the daemon time to stop its app and put the robot to sleep", () => {
  expect([setting("Restart"), setting("StartLimitIntervalSec"), setting("KillMode")]).toEqual(["always", "0", "mixed"]);
  // Grace period, SIGTERM, SIGKILL and the way to the sleep pose.
  expect(Number(setting("TimeoutStopSec"))).toBeGreaterThan(5 + 1 + 1 + 5);
});

const systemd = spawnSync("systemd-analyze", ["--version"]).status === 0;

test.runIf(systemd)("systemd-analyze accepts the unit", () => {
  const folder = temporaryFolder("unit-");
  const file = join(folder, "robot-daemon.service");
  writeFileSync(file, unit.replace("/usr/bin/node", process.execPath).replace("/opt/robot-daemon", process.cwd()));
  const { status, stdout, stderr } = spawnSync("systemd-analyze", ["verify", "--man=no", file], { encoding: "utf8" });
  expect({ status, said: (stdout + stderr).split("\n").filter((line) => line.includes("robot-daemon")) }).toEqual({
    status: 0,
    said: [],
  });
});
