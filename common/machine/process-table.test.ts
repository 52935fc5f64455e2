import { execFile, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { chmod, writeFile } from "node:fs/promises";
import path from "node:path";
import { memoryUsage, pid as ownPid } from "node:process";
import { promisify } from "node:util";
import { describe, expect, onTestFinished, test } from "vitest";
import { temporaryFolder } from "../testing/temporary-folder.ts";
import { pageBytesOf, parsePsLine, parseStat } from "./process-entry.ts";
import { commandOf, environmentVariable, identityOf, ProcessTable } from "./process-table.ts";

const AFTER_STATE = "1 4242 17 0 -1 4194560 0 0 0 0 150 50 250 20 20 0 1 0 987654 0 25";

describe("an entry", () => {
  const PAGE_BYTES = 16_384;
  const expected = {
    pid: 77,
    parent: 1,
    group: 4242,
    cpuSeconds: 2,
    reapedCpuSeconds: 2.7,
    memoryBytes: 25 * PAGE_BYTES,
  };

  test("is read from Linux's stat file, for any name of the program", () => {
    expect(parseStat(`77 (python) S ${AFTER_STATE}`, "boot", PAGE_BYTES)).toEqual([
      { ...expected, started: "boot:987654" },
    ]);
    expect(parseStat(`77 (a) R (b ) S ${AFTER_STATE}`, "boot", PAGE_BYTES)).toEqual([
      { ...expected, started: "boot:987654" },
    ]);
  });

  test.each([
    ["0:02.00", 2],
    ["01:00:02", 3602],
    ["2-01:00:02", 176_402],
  ])("is read from a line of ps with the processor time %s", (time, cpuSeconds) => {
    const started = "Sat Nov 21 08:48:27 2026";
    expect(parsePsLine(`  77     1  4242 S+   ${time}   100 ${started}    `)).toEqual([
      { ...expected, cpuSeconds, reapedCpuSeconds: 0, memoryBytes: 102_400, started },
    ]);
  });

  test.each([4096, 16_384, 65_536])("has the memory in pages of %i bytes", (pageBytes) => {
    for (const drift of [0.9, 1, 1.1])
      expect(pageBytesOf(2000 * pageBytes * drift, "9000 2000 700 1 0 300 0")).toBe(pageBytes);
  });

  test("is absent for a process that waits to be reaped, and for an empty text", () => {
    expect(parseStat(`77 (python) Z ${AFTER_STATE}`, "boot", PAGE_BYTES)).toEqual([]);
    expect(parsePsLine("77 1 4242 Z+ 0:00 0 Sat Nov 21 08:48:27 2026")).toEqual([]);
    expect(parseStat("", "boot", PAGE_BYTES)).toEqual([]);
    expect(parsePsLine("")).toEqual([]);
  });
});

describe("the table", () => {
  test("has this process, with the memory that memoryUsage.rss() reports", async () => {
    const [table, own] = [await ProcessTable.read(), memoryUsage.rss()];
    const seen = table.get(ownPid)?.memoryBytes ?? 0;
    expect(seen / own).toBeGreaterThan(0.7);
    expect(seen / own).toBeLessThan(1.4);
  });

  test("has a child with its parent, group and tree, read synchronously or not", async () => {
    const child = spawn("sh", ["-c", "sleep 600 & echo started; wait"], { detached: true });
    const group = child.pid as number;
    onTestFinished(() => void process.kill(-group, "SIGKILL"));
    await once(child.stdout, "data");
    for (const table of [await ProcessTable.read(), ProcessTable.readSync()]) {
      expect(table.childrenOf(ownPid).map((entry) => entry.pid)).toContain(group);
      const members = table.groupMembers(group).map((entry) => entry.pid);
      expect(members).toHaveLength(2);
      expect(table.treeOf(group).map((entry) => entry.pid)).toEqual(members);
      expect(table.get(ownPid)?.memoryBytes).toBeGreaterThan(1_000_000);
    }
    expect(commandOf(group).slice(0, 2)).toEqual(["sh", "-c"]);
  });

  test("distinguishes a process from another one with its pid, and from one that has ended", async () => {
    const child = spawn("sleep", ["600"], { env: { MARK: "here" } });
    await once(child, "spawn");
    const pid = child.pid as number;
    const identity = await identityOf(pid);
    if (identity === null) throw new Error("sleep is not in the process table");
    expect(await environmentVariable(pid, "MARK")).toBe("here");
    expect(await environmentVariable(pid, "ARK")).toBeUndefined();
    expect(await identityOf(pid)).toEqual(identity);
    expect((await ProcessTable.read()).has(identity)).toBe(true);
    expect((await ProcessTable.read()).has({ ...identity, started: "earlier" })).toBe(false);
    child.kill();
    await once(child, "exit");
    expect(await identityOf(pid)).toBeNull();
    expect(ProcessTable.readSync().has(identity)).toBe(false);
    expect(commandOf(pid)).toEqual([]);
  });

  test("has the same start times in all time zones and languages where there is no /proc", async ({ skip }) => {
    const hide = ["--mount", "sh", "-c", 'mount -t tmpfs none /proc && exec "$@"', "sh"];
    if (spawnSync("unshare", [...hide, "true"]).status !== 0) return skip("needs root and unshare");
    const folder = temporaryFolder("ps-");
    // The real ps of Linux reads /proc; this one formats a moment as date does.
    const ps = '#!/bin/sh\necho "77 1 77 S 0:00 100 $(date -d @1700000000 "+%a %b %e %H:%M:%S %Y")"\n';
    await writeFile(path.join(folder, "ps"), ps);
    await chmod(path.join(folder, "ps"), 0o755);
    const script =
      'import { identityOf } from "./common/machine/process-table.ts"; console.log((await identityOf(77)).started);';
    const run = async (zone: string) => {
      const node = [process.execPath, "--import", "tsx", "--input-type=module", "-e", script];
      const PATH = `${folder}:${process.env.PATH}`;
      const env = { ...process.env, PATH, TZ: zone, LC_ALL: "C.UTF-8" };
      return (await promisify(execFile)("unshare", [...hide, ...node], { env })).stdout.trim();
    };
    expect(await run("Asia/Tokyo")).toBe("Tue Nov 14 22:13:20 2023");
    expect(await run("America/New_York")).toBe("Tue Nov 14 22:13:20 2023");
  });
});
