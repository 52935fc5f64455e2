import { spawn } from "node:child_process";
import { once } from "node:events";
import { pid } from "node:process";
import { describe, expect, test } from "vitest";
import { identityOf, isAlive, parsePsLine, parseStat, processTable, startedWith } from "./process-table.ts";

const TAIL = "1 4242 17 0 -1 4194560 0 0 0 0 0 0 0 0 20 0 1 0 987654 0 0";

describe("a process", () => {
  test("is read from Linux's stat file, whatever its name", () => {
    const expected = [{ pid: 77, group: 4242, started: "boot:987654" }];
    expect(parseStat(`77 (python) S ${TAIL}`, "boot")).toEqual(expected);
    expect(parseStat(`77 (a) R (b ) S ${TAIL}`, "boot")).toEqual(expected);
  });

  test("is read from a line of ps", () => {
    expect(parsePsLine("  77  4242 S+   Sat Nov 21 08:48:27 2026    ")).toEqual([
      { pid: 77, group: 4242, started: "Sat Nov 21 08:48:27 2026" },
    ]);
    expect(parsePsLine("")).toEqual([]);
  });

  test("that only waits to be reaped has ended", () => {
    expect(parseStat(`77 (python) Z ${TAIL}`, "boot")).toEqual([]);
    expect(parsePsLine("77 4242 Z+ Sat Nov 21 08:48:27 2026")).toEqual([]);
    expect(parseStat("", "boot")).toEqual([]);
  });

  test("is told from another one with its number, and from none", async () => {
    const child = spawn("sleep", ["600"], { env: { MARK: "here" } });
    await once(child, "spawn");
    const identity = await identityOf(child.pid as number);
    expect(identity).not.toBeNull();
    if (identity === null) return;
    expect(await startedWith(identity.pid, "MARK")).toBe("here");
    expect(await startedWith(identity.pid, "ARK")).toBeUndefined();
    expect(await isAlive(identity)).toBe(true);
    expect(await isAlive({ ...identity, started: "earlier" })).toBe(false);
    child.kill();
    await once(child, "exit");
    expect(await isAlive(identity)).toBe(false);
    expect((await processTable()).map((entry) => entry.pid)).toContain(pid);
  });
});
