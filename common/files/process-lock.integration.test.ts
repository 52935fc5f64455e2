import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdir, readdir, writeFile } from "node:fs/promises";
import path from "node:path";
import { expect, test } from "vitest";
import { fillDisk, mountSmallDisk } from "../testing/full-disk.ts";
import { startLockHolder } from "../testing/lock-holder.ts";
import { temporaryFolder } from "../testing/temporary-folder.ts";
import { acquireLock, isAcquired } from "./process-lock.ts";

async function tempLockFolder(...within: string[]): Promise<string> {
  const folder = temporaryFolder("lock-");
  return path.join(folder, ...within, "in-use");
}

test("only one process holds the lock; others learn who; nothing is left after the release", async () => {
  const folder = await tempLockFolder();
  const first = await acquireLock(folder, "first");
  expect(await acquireLock(folder, "second")).toEqual({ pid: process.pid, note: "first" });
  if (!isAcquired(first)) throw new Error("no other process holds the lock");
  await first.note("at work");
  expect(await acquireLock(folder, "third")).toEqual({ pid: process.pid, note: "at work" });
  const contender = await startLockHolder(folder);
  expect(contender.line).toBe(`held by ${process.pid}`);
  await first.release();
  await first.release();
  expect(existsSync(folder)).toBe(false);
});

test("a killed process no longer holds its lock", async () => {
  const folder = await tempLockFolder();
  const contender = await startLockHolder(folder);
  expect(contender.line).toBe("acquired");
  expect(await acquireLock(folder, "")).toEqual({ pid: contender.pid, note: "another program" });
  await contender.kill();
  expect(isAcquired(await acquireLock(folder, ""))).toBe(true);
  expect(await readdir(folder)).toHaveLength(1);
});

test("a stopped process keeps its lock, although it does not answer", async () => {
  const folder = await tempLockFolder();
  const holder = await startLockHolder(folder);
  process.kill(holder.pid, "SIGSTOP");
  expect(await acquireLock(folder, "")).toEqual({ pid: null, note: "" });
  await holder.kill();
});

test("what stands in the folder and is no socket of a living process is removed", async () => {
  const folder = await tempLockFolder();
  await mkdir(path.join(folder, "a folder"), { recursive: true });
  await writeFile(path.join(folder, `${process.ppid}-0123456789abcdef`), "of an earlier version");
  spawnSync("mkfifo", [path.join(folder, "a pipe")]);
  expect(isAcquired(await acquireLock(folder, ""))).toBe(true);
  expect(await readdir(folder)).toHaveLength(1);
});

test("of many processes at the same moment at most one acquires the lock", async () => {
  const folder = await tempLockFolder();
  const contenders = await Promise.all(Array.from({ length: 4 }, () => startLockHolder(folder)));
  const holders = contenders.filter(({ line }) => line === "acquired");
  expect(holders.length).toBeLessThanOrEqual(1);
  expect(await readdir(folder).catch(() => [])).toHaveLength(holders.length);
});

test("a folder whose path is too long for a socket has a lock as well", async () => {
  const folder = await tempLockFolder("x".repeat(120));
  await mkdir(path.dirname(folder));
  const lock = await acquireLock(folder, "first");
  expect(await acquireLock(folder, "")).toEqual({ pid: process.pid, note: "first" });
  expect(await readdir(folder)).toHaveLength(1);
  if (isAcquired(lock)) await lock.release();
  expect(existsSync(folder)).toBe(false);
});

test("a container of its own, with its own pids and network, sees the lock and is seen", async ({ skip }) => {
  const container = ["unshare", "--pid", "--fork", "--mount-proc", "--net", "--kill-child"];
  if (spawnSync(container[0] as string, [...container.slice(1), "true"]).status !== 0)
    return skip("needs root and unshare");
  const folder = await tempLockFolder();
  const lock = await acquireLock(folder, "outside");
  expect(await startLockHolder(folder, container)).toMatchObject({ line: "held by null" });
  if (isAcquired(lock)) await lock.release();
  const inside = await startLockHolder(folder, container);
  expect(inside.line).toBe("acquired");
  expect(await acquireLock(folder, "")).toEqual({ pid: null, note: "another program" });
  expect(await startLockHolder(folder, container)).toMatchObject({ line: "held by null" });
  await inside.kill();
  expect(isAcquired(await acquireLock(folder, ""))).toBe(true);
});

test("on a full disk one process at a time has the lock, too", async ({ skip }) => {
  const disk = await mountSmallDisk();
  if (disk === null) return skip("needs root");
  await fillDisk(disk);
  const folder = path.join(disk, "in-use");
  const lock = await acquireLock(folder, "first");
  expect(await acquireLock(folder, "")).toEqual({ pid: process.pid, note: "first" });
  if (isAcquired(lock)) await lock.release();
  const next = await acquireLock(folder, "");
  expect(isAcquired(next)).toBe(true);
  if (isAcquired(next)) await next.release();
});
