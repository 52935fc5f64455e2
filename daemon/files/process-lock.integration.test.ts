import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { mkdir, mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { createInterface } from "node:readline";
import { describe, expect, onTestFinished, test } from "vitest";
import { acquireLock, isAcquired } from "./process-lock.ts";

async function tempLockFolder(): Promise<string> {
  const folder = await mkdtemp(path.join(tmpdir(), "lock-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return path.join(folder, "in-use");
}

/** A program that tries to acquire the lock, prints the result, and keeps the lock until it is killed. */
const CONTENDER = `
import { acquireLock, isAcquired } from "./daemon/files/process-lock.ts";
const result = await acquireLock(process.argv.at(-1), "another program");
console.log(isAcquired(result) ? "acquired" : "held by " + result.pid);
setInterval(() => {}, 1000);
`;

async function startContender(folder: string) {
  const args = ["--import", "tsx", "--input-type=module", "-e", CONTENDER, folder];
  const child = spawn(process.execPath, args, { stdio: ["ignore", "pipe", "inherit"] });
  onTestFinished(() => void child.kill("SIGKILL"));
  const [line] = (await once(createInterface(child.stdout), "line")) as [string];
  const kill = async (): Promise<void> => {
    child.kill("SIGKILL");
    await once(child, "exit");
  };
  return { pid: child.pid as number, line, kill };
}

test("only one process holds the lock; others learn who; nothing is left after the release", async () => {
  const folder = await tempLockFolder();
  const first = await acquireLock(folder, "first");
  expect(await acquireLock(folder, "second")).toEqual({ pid: process.pid, note: "first" });
  if (!isAcquired(first)) throw new Error("no other process holds the lock");
  await first.note("at work");
  expect(await acquireLock(folder, "third")).toEqual({ pid: process.pid, note: "at work" });
  const contender = await startContender(folder);
  expect(contender.line).toBe(`held by ${process.pid}`);
  await first.release();
  expect(existsSync(folder)).toBe(false);
}, 60_000);

test("a killed process no longer holds its lock", async () => {
  const folder = await tempLockFolder();
  const contender = await startContender(folder);
  expect(contender.line).toBe("acquired");
  expect(await acquireLock(folder, "")).toEqual({ pid: contender.pid, note: "another program" });
  await contender.kill();
  expect(isAcquired(await acquireLock(folder, ""))).toBe(true);
  expect(await readdir(folder)).toHaveLength(1);
}, 60_000);

test("a lock file is stale when another process has its pid by now", async () => {
  const folder = await tempLockFolder();
  await mkdir(folder);
  // The pid of a living process, with the start time of an earlier one.
  await writeFile(path.join(folder, `${process.ppid}-0123456789abcdef`), "stale");
  await writeFile(path.join(folder, "not a lock file"), "");
  expect(isAcquired(await acquireLock(folder, ""))).toBe(true);
  expect(await readdir(folder)).toHaveLength(1);
});

test("of many processes at the same moment at most one acquires the lock", async () => {
  const folder = await tempLockFolder();
  const contenders = await Promise.all(Array.from({ length: 4 }, () => startContender(folder)));
  const holders = contenders.filter(({ line }) => line === "acquired");
  expect(holders.length).toBeLessThanOrEqual(1);
  expect(await readdir(folder).catch(() => [])).toHaveLength(holders.length);
}, 60_000);

describe("where the process table cannot be read", () => {
  const unreadable = () => Promise.reject(new Error("spawn ps EAGAIN"));

  test("a lock is acquired and released all the same", async () => {
    const folder = await tempLockFolder();
    const lock = await acquireLock(folder, "", unreadable);
    expect(await readdir(folder)).toEqual([`${process.pid}-unknown`]);
    expect(await startContender(folder)).toMatchObject({ line: `held by ${process.pid}` });
    if (isAcquired(lock)) await lock.release();
    expect(existsSync(folder)).toBe(false);
  });

  test("a living process keeps its lock, and a killed one does not", async () => {
    const folder = await tempLockFolder();
    const contender = await startContender(folder);
    expect(await acquireLock(folder, "", unreadable)).toMatchObject({ pid: contender.pid });
    await contender.kill();
    expect(isAcquired(await acquireLock(folder, "", unreadable))).toBe(true);
  });
});
