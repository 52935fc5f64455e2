import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readdirSync, symlinkSync } from "node:fs";
import { join, resolve } from "node:path";
import { beforeAll, expect, onTestFinished, test } from "vitest";
import { sendSignal } from "../common/machine/machine.ts";
import { processesOf } from "../common/machine/process-tree.ts";
import { temporaryFolder } from "../common/testing/temporary-folder.ts";

const TEST_DATA = resolve("artifacts/test-data");

beforeAll(() => {
  if (!existsSync(join(TEST_DATA, "apps_venv"))) throw new Error("run npm test once: it makes artifacts/test-data");
});

/** Runs `npm start`; the environment of all its processes contains `runId`. */
function npmStart(dataDir: string, runId: string) {
  const env = { ...process.env, ROBOT_START_TEST: runId };
  const args = ["start", "--", "--port", "0", "--data-dir", dataDir, "--startup-app", "hello_robot"];
  const npm = spawn("npm", args, { env, detached: true, stdio: ["ignore", "pipe", "inherit"] });
  onTestFinished(async () => {
    for (const pid of await processesOfRun(runId)) sendSignal(pid, "SIGKILL");
  });
  return npm;
}

/** Ids of live processes with the run id in their environment. */
const processesOfRun = (runId: string) => processesOf({ environment: ["ROBOT_START_TEST", runId] });

test.each(["SIGTERM", "SIGINT"] as const)(
  "npm start passes %s on: the app ends, the robot goes to sleep, no process is left",
  async (signal) => {
    const dataDir = temporaryFolder("robot-start-");
    symlinkSync(join(TEST_DATA, "apps_venv"), join(dataDir, "apps_venv"));
    const npm = npmStart(dataDir, `${process.pid}-${signal}`);
    let output = "";
    const running = new Promise<void>((settle) => {
      npm.stdout.on("data", (chunk: Buffer) => {
        output += chunk;
        if (output.includes("hello_robot is running")) settle();
      });
    });
    await Promise.race([
      running,
      once(npm, "exit").then(() => Promise.reject(new Error(`npm has exited:\n${output}`))),
    ]);
    npm.kill(signal);
    await once(npm, "close");
    expect(output).toContain(`${signal}: stopping the app and putting the robot to sleep`);
    expect(output).toContain("The robot is stopped.");
    expect(await processesOfRun(`${process.pid}-${signal}`)).toEqual([]);
    expect(readdirSync(dataDir)).not.toContain("in-use");
  },
);
