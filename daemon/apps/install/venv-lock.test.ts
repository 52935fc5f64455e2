import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { mkdir, mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { systemClock } from "../../clock.ts";
import { claimNameOf } from "../../data-folder/claim.ts";
import { RUN_MARK } from "../start/command.ts";
import { venvMark, withVenvLock } from "./venv-lock.ts";

async function folder(): Promise<string> {
  const made = await mkdtemp(path.join(tmpdir(), "lock-"));
  onTestFinished(() => rm(made, { recursive: true }));
  return path.join(made, "venv");
}

/** A process that runs until the test is over. */
async function sleeper(mark: string) {
  const child = spawn("sleep", ["600"], { detached: true, stdio: "ignore", env: { ...process.env, [RUN_MARK]: mark } });
  await once(child, "spawn");
  onTestFinished(() => void child.kill("SIGKILL"));
  return child;
}

test("the pip of a program that was killed is ended before anybody else works on the environment", async () => {
  const venv = await folder();
  const holder = await sleeper("");
  await mkdir(`${venv}.lock`);
  await writeFile(path.join(`${venv}.lock`, (await claimNameOf(holder.pid as number)) ?? ""), "");
  const pip = await sleeper(venvMark(venv));
  const elsewhere = await sleeper(venvMark(`${venv}2`));
  const work = () => withVenvLock(venv, systemClock, async () => [pip.signalCode, elsewhere.signalCode]);

  await expect(work()).rejects.toMatchObject({ code: "app-busy" });
  expect(pip.signalCode).toBeNull();

  holder.kill("SIGKILL");
  await once(holder, "exit");
  expect(await work()).toEqual(["SIGTERM", null]);
  expect(existsSync(`${venv}.lock`)).toBe(false);
});

test("an environment has one lock, however many links lead to it", async () => {
  const venv = await folder();
  await mkdir(venv);
  const link = `${venv}-link`;
  await symlink(venv, link);
  const inside = withVenvLock(venv, systemClock, () => withVenvLock(link, systemClock, async () => "twice"));
  await expect(inside).rejects.toMatchObject({ code: "app-busy" });
  expect(venvMark(link)).toBe(venvMark(venv));
});
