import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { pid } from "node:process";
import { expect, onTestFinished, test, vi } from "vitest";
import { ProcessTable } from "../../../common/machine/process-table.ts";
import { systemClock } from "../../../common/time/clock.ts";
import { certifyInProcess } from "./certify-in-process.ts";

const children = () =>
  ProcessTable.readSync()
    .childrenOf(pid)
    .map((entry) => entry.pid);

test("a certification that cannot be watched is ended", async () => {
  const folder = await mkdtemp(join(tmpdir(), "robot-certify-in-process-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true, maxRetries: 3 }));
  // As without a free file descriptor: later looks fail, too.
  vi.spyOn(ProcessTable, "read").mockRejectedValue(new Error("no process table"));
  onTestFinished(() => void vi.restoreAllMocks());
  const before = children();
  const certified = certifyInProcess({
    task: {
      folder: resolve("fixtures/apps/hello_robot"),
      tier: "short",
      seed: 1,
      jobs: 1,
      cache: join(folder, "cache"),
      version: "0.0.0",
      out: folder,
    },
    deadline: 60,
    memoryBytes: 1e9,
    env: { ...process.env, TMPDIR: folder },
    clock: systemClock,
    signal: new AbortController().signal,
  });
  expect(children().length).toBe(before.length + 1);
  await expect(certified).rejects.toThrow("no process table");
  expect(children()).toEqual(before);
});
