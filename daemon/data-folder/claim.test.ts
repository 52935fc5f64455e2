import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { mkdir, mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { createInterface } from "node:readline";
import { expect, onTestFinished, test } from "vitest";
import { claim, holderOf, isClaim } from "./claim.ts";

async function place(): Promise<string> {
  const folder = await mkdtemp(path.join(tmpdir(), "claim-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return path.join(folder, "in-use");
}

/** Claims as another program would, says how that went, and keeps it until it is killed. */
const CLAIMANT = `
import { claim, isClaim } from "./daemon/data-folder/claim.ts";
const got = await claim(process.argv.at(-1), "another program");
console.log(isClaim(got) ? "has it" : "sees " + got.pid);
setInterval(() => {}, 1000);
`;

async function claimant(claims: string) {
  const args = ["--import", "tsx", "--input-type=module", "-e", CLAIMANT, claims];
  const child = spawn(process.execPath, args, { stdio: ["ignore", "pipe", "inherit"] });
  onTestFinished(() => void child.kill("SIGKILL"));
  const [line] = (await once(createInterface(child.stdout), "line")) as [string];
  const kill = async (): Promise<void> => {
    child.kill("SIGKILL");
    await once(child, "exit");
  };
  return { pid: child.pid as number, line, kill };
}

test("whoever comes second is told of the first, and has it once that is free; nothing is left in the end", async () => {
  const claims = await place();
  const first = await claim(claims, "first");
  expect(await claim(claims, "again")).toEqual({ pid: process.pid, note: "first" });
  if (!isClaim(first)) throw new Error("nobody else claims it");
  await first.note("at work");
  expect(await holderOf(claims)).toEqual({ pid: process.pid, note: "at work" });
  const other = await claimant(claims);
  expect(other.line).toBe(`sees ${process.pid}`);
  await first.release();
  expect(await holderOf(claims)).toBeNull();
  expect(existsSync(claims)).toBe(false);
}, 60_000);

test("the claim of a killed program counts no more", async () => {
  const claims = await place();
  const other = await claimant(claims);
  expect(other.line).toBe("has it");
  expect(await claim(claims, "")).toEqual({ pid: other.pid, note: "another program" });
  await other.kill();
  const mine = await claim(claims, "");
  expect(isClaim(mine)).toBe(true);
  expect(await readdir(claims)).toHaveLength(1);
}, 60_000);

test("nor does that of a program whose pid is another's by now", async () => {
  const claims = await place();
  await mkdir(claims);
  // A living process, but not the one that made the file: it began at another time.
  await writeFile(path.join(claims, `${process.ppid}-0123456789abcdef`), "long gone");
  await writeFile(path.join(claims, "no claim at all"), "");
  expect(isClaim(await claim(claims, ""))).toBe(true);
  expect(await readdir(claims)).toHaveLength(1);
});

test("of many at the same moment at most one has it, and all see who", async () => {
  const claims = await place();
  const all = await Promise.all(Array.from({ length: 4 }, () => claimant(claims)));
  const holders = all.filter(({ line }) => line === "has it");
  expect(holders.length).toBeLessThanOrEqual(1);
  expect(await readdir(claims).catch(() => [])).toHaveLength(holders.length);
}, 60_000);
