import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { mkdir, symlink } from "node:fs/promises";
import path from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { startLockHolder } from "../../../../common/testing/lock-holder.ts";
import { temporaryFolder } from "../../../../common/testing/temporary-folder.ts";
import { systemClock } from "../../../../common/time/clock.ts";
import { RUN_ID_VARIABLE } from "../../start/app-command.ts";
import { installRunId, withVenvLock } from "./venv-lock.ts";

async function folder(): Promise<string> {
  const made = temporaryFolder("lock-");
  return path.join(made, "venv");
}

/** A process that runs until the test is over. */
async function sleeper(runId: string) {
  const child = spawn("sleep", ["600"], {
    detached: true,
    stdio: "ignore",
    env: { ...process.env, [RUN_ID_VARIABLE]: runId },
  });
  await once(child, "spawn");
  onTestFinished(() => void child.kill("SIGKILL"));
  return child;
}

test("the pip of a killed program is ended before another program changes the environment", async () => {
  const venv = await folder();
  const holder = await startLockHolder(`${venv}.lock`);
  const pip = await sleeper(installRunId(venv));
  const elsewhere = await sleeper(installRunId(`${venv}2`));
  const work = () => withVenvLock(venv, systemClock, async () => [pip.signalCode, elsewhere.signalCode]);

  await expect(work()).rejects.toMatchObject({ code: "app-busy" });
  expect(pip.signalCode).toBeNull();

  await holder.kill();
  expect(await work()).toEqual(["SIGTERM", null]);
  expect(existsSync(`${venv}.lock`)).toBe(false);
});

test("an environment has one lock, over whichever link it is reached", async () => {
  const venv = await folder();
  await mkdir(venv);
  const link = `${venv}-link`;
  await symlink(venv, link);
  const inside = withVenvLock(venv, systemClock, () => withVenvLock(link, systemClock, async () => "twice"));
  await expect(inside).rejects.toMatchObject({ code: "app-busy" });
  expect(installRunId(link)).toBe(installRunId(venv));
});
