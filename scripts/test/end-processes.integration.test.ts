import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { ProcessTable } from "../../common/machine/process-table.ts";
import { temporaryFolder } from "../../common/testing/temporary-folder.ts";
import { waitFor } from "../../common/time/wait-for.ts";

/** Starts a child, one in a session of its own, and one whose parent has ended; all ignore what they can. */
const SUITE = `
import os, signal, sys, time
for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
    signal.signal(number, signal.SIG_IGN)
folder = sys.argv[1]
def stay(name):
    open(os.path.join(folder, name + ".part"), "w").write(str(os.getpid()))
    os.rename(os.path.join(folder, name + ".part"), os.path.join(folder, name))
    time.sleep(600)
if os.fork() == 0:
    stay("child")
if os.fork() == 0:
    os.setsid()
    stay("session")
if os.fork() == 0:
    os.setsid()
    if os.fork() == 0:
        stay("orphan")
    os._exit(0)
open(os.path.join(os.environ["TMPDIR"], "left"), "w").close()
open(os.path.join(folder, "tmpdir"), "w").write(os.environ["TMPDIR"])
stay("suite")
`;

/** What scripts/test.mjs does with a suite. */
const RUNNER = `
import { spawn } from "node:child_process";
import { leavingNothing } from "./scripts/test/end-processes.mjs";
import { handleSignals, interruption, script } from "./scripts/setup/steps.mjs";
await script(async () => {
  handleSignals();
  await leavingNothing((env) => new Promise((_, reject) => {
    const options = { env: { ...process.env, ...env }, detached: true, stdio: "ignore" };
    spawn("python3", ["-c", process.argv[2], process.argv[1]], options);
    interruption.signal.addEventListener("abort", () => reject(interruption.signal.reason));
  }), () => {});
});`;

const alive = async (pids: readonly number[]) =>
  (await ProcessTable.read()).entries.map(({ pid }) => pid).filter((pid) => pids.includes(pid));

test.each([
  ["SIGINT", 130],
  ["SIGTERM", 143],
] as const)("after %s to the test runner alone, no process and no temporary file is left", async (signal, code) => {
  const folder = temporaryFolder("interrupted-");
  const args = ["--input-type=module", "-e", RUNNER, folder, SUITE];
  const runner = spawn(process.execPath, args, { stdio: ["ignore", "inherit", "ignore"] });
  const names = ["child", "session", "orphan", "suite"].map((name) => join(folder, name));
  await waitFor(60_000, "all processes run", () => names.every((name) => existsSync(name)));
  const pids = names.map((name) => Number(readFileSync(name, "utf8")));
  expect(await alive(pids)).toHaveLength(pids.length);
  runner.kill(signal);
  expect(await once(runner, "exit")).toEqual([code, null]);
  expect(await alive(pids)).toEqual([]);
  expect(existsSync(readFileSync(join(folder, "tmpdir"), "utf8"))).toBe(false);
});
