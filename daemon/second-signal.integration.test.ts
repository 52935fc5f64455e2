import { spawn } from "node:child_process";
import { once } from "node:events";
import { expect, onTestFinished, test } from "vitest";
import { commandOf, ProcessTable } from "../common/machine/process-table.ts";
import { temporaryFolder } from "../common/testing/temporary-folder.ts";
import { waitFor } from "../common/time/wait-for.ts";

/** The environment that the set-up of the tests prepares. */
const TEST_VENV = "artifacts/test-data/apps_venv";

test("a second signal ends the daemon while its shutdown waits for a robot process that hangs", async () => {
  const dataDir = temporaryFolder("second-signal-");
  const folders = ["--data-dir", dataDir, "--venv", TEST_VENV];
  const options = ["--sim", "--port", "0", "--no-wake-up-on-start", "--robot-timeout", "120", ...folders];
  const daemon = spawn(process.execPath, ["bin/robot-daemon.mjs", ...options], { stdio: ["ignore", "pipe", "pipe"] });
  onTestFinished(() => void daemon.kill("SIGKILL"));
  let output = "";
  for (const stream of [daemon.stdout, daemon.stderr]) stream.on("data", (text) => (output += text));
  await waitFor(60_000, "the daemon prints its address", () => /http:\/\/127\.0\.0\.1:\d+/.test(output));
  const robotProcess = ProcessTable.readSync()
    .childrenOf(daemon.pid ?? 0)
    .find(({ pid }) => commandOf(pid).some((word) => word.endsWith("/robot-process/main.js")))?.pid;
  if (robotProcess === undefined) throw new Error("the daemon has no robot process");
  process.kill(robotProcess, "SIGSTOP");
  onTestFinished(() => void process.kill(robotProcess, "SIGKILL"));

  const exited = once(daemon, "exit");
  const pressing = setInterval(() => daemon.kill("SIGINT"), 100);
  onTestFinished(() => clearInterval(pressing));
  const [code] = await exited;
  expect(code).toBe(130);
  expect(output).toContain("ended at the second signal");
});
