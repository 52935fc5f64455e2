import { spawn } from "node:child_process";
import { once } from "node:events";
import { cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { beforeAll, expect, onTestFinished, test } from "vitest";

const TEST_DATA = resolve("artifacts/test-data");

beforeAll(() => {
  if (!existsSync(join(TEST_DATA, "apps_venv"))) throw new Error("run npm test once: it makes artifacts/test-data");
});

/** `npm start`, as a person types it; `mark` is in the environment of all that comes of it. */
function npmStart(dataDir: string, mark: string) {
  const env = { ...process.env, ROBOT_START_TEST: mark };
  const args = ["start", "--", "--port", "0", "--data-dir", dataDir, "--startup-app", "hello_robot"];
  const npm = spawn("npm", args, { env, detached: true, stdio: ["ignore", "pipe", "inherit"] });
  onTestFinished(() => {
    for (const pid of marked(mark)) process.kill(pid, "SIGKILL");
  });
  return npm;
}

/** Ids of living processes with the mark in their environment. */
function marked(mark: string): number[] {
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name) && environmentOf(name).includes(`ROBOT_START_TEST=${mark}\0`))
    .map(Number);
}

function environmentOf(pid: string): string {
  try {
    return readFileSync(`/proc/${pid}/environ`, "latin1");
  } catch {
    return "";
  }
}

test.each(["SIGTERM", "SIGINT"] as const)(
  "npm start passes %s on: the app ends, the robot is laid to rest, no process is left",
  async (signal) => {
    const dataDir = mkdtempSync(join(tmpdir(), "robot-start-"));
    onTestFinished(() => rmSync(dataDir, { recursive: true, force: true }));
    symlinkSync(join(TEST_DATA, "apps_venv"), join(dataDir, "apps_venv"));
    cpSync(join(TEST_DATA, "installed-apps.json"), join(dataDir, "installed-apps.json"));
    const npm = npmStart(dataDir, `${process.pid}-${signal}`);
    let output = "";
    const running = new Promise<void>((settle) => {
      npm.stdout.on("data", (chunk: Buffer) => {
        output += chunk;
        if (output.includes("hello_robot is running")) settle();
      });
    });
    await Promise.race([running, once(npm, "exit").then(() => Promise.reject(new Error(`npm has ended:\n${output}`)))]);
    npm.kill(signal);
    await once(npm, "close");
    expect(output).toContain(`${signal}: ending the app and laying the robot to rest`);
    expect(output).toContain("The robot is stopped.");
    expect(marked(`${process.pid}-${signal}`)).toEqual([]);
    expect(readdirSync(dataDir)).not.toContain("in-use");
  },
  240_000,
);
